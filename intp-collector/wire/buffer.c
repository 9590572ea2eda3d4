/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"

#define FIRST_ROOM     4096
#define SIX_DECIMALS   1000000
#define LARGEST_SCALED 9e12 /* times a million it still fits an int64_t */

bool intp_buffer_reserve(struct intp_buffer *buffer, size_t more)
{
	size_t room = buffer->room ? buffer->room : FIRST_ROOM;
	char *data;

	if (buffer->failed)
		return false;
	if (buffer->room - buffer->length >= more)
		return true;
	while (room - buffer->length < more)
		room *= 2;
	data = realloc(buffer->data, room);
	if (!data) {
		buffer->failed = true;
		buffer->room = buffer->length; /* so that what follows comes here too */
		return false;
	}
	buffer->data = data;
	buffer->room = room;
	return true;
}

void intp_buffer_integer(struct intp_buffer *buffer, int64_t value)
{
	char digits[24];
	char *first = digits + sizeof(digits);
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

	do {
		*--first = '0' + rest % 10;
		rest /= 10;
	} while (rest);
	if (value < 0)
		*--first = '-';
	intp_buffer_append(buffer, first, digits + sizeof(digits) - first);
}

/* Six decimals without those that are zero at the end; printf would take longer than the rest of a snapshot. */
static void append_decimals(struct intp_buffer *buffer, uint64_t millionths)
{
	char decimals[7] = ".";
	int last = 6;

	for (int i = 6; i > 0; i--, millionths /= 10)
		decimals[i] = '0' + millionths % 10;
	while (last > 0 && decimals[last] == '0')
		last--;
	if (last > 0)
		intp_buffer_append(buffer, decimals, last + 1);
}

static void append_scaled(struct intp_buffer *buffer, double value)
{
	int64_t scaled = llround(value * SIX_DECIMALS);
	uint64_t magnitude = scaled < 0 ? -(uint64_t)scaled : (uint64_t)scaled;

	if (scaled < 0)
		intp_buffer_append(buffer, "-", 1);
	intp_buffer_integer(buffer, (int64_t)(magnitude / SIX_DECIMALS));
	append_decimals(buffer, magnitude % SIX_DECIMALS);
}

static void append_large(struct intp_buffer *buffer, double value)
{
	char text[40];
	int length = snprintf(text, sizeof(text), "%.16g", value);

	/* A locale may write the decimal point in its own way, and JSON knows one only. */
	for (int i = 0; i < length; i++)
		if (!strchr("+-0123456789e", text[i]))
			text[i] = '.';
	intp_buffer_append(buffer, text, length);
}

void intp_buffer_number(struct intp_buffer *buffer, double value)
{
	if (!isfinite(value))
		intp_buffer_append(buffer, "null", 4);
	else if (fabs(value) < 1e15 && value == (double)(int64_t)value)
		intp_buffer_integer(buffer, (int64_t)value);
	else if (fabs(value) < LARGEST_SCALED)
		append_scaled(buffer, value);
	else
		append_large(buffer, value);
}

static void append_escaped(struct intp_buffer *buffer, unsigned char byte)
{
	static const char hex[] = "0123456789abcdef";
	char unicode[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
	char simple[2] = {'\\', (char)byte};

	if (byte == '"' || byte == '\\')
		intp_buffer_append(buffer, simple, sizeof(simple));
	else
		intp_buffer_append(buffer, unicode, sizeof(unicode));
}

static bool needs_escape(unsigned char byte)
{
	return byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7f;
}

void intp_buffer_string(struct intp_buffer *buffer, const char *text)
{
	const char *plain = text;

	intp_buffer_append(buffer, "\"", 1);
	for (; *text; text++) {
		if (!needs_escape((unsigned char)*text))
			continue;
		intp_buffer_append(buffer, plain, text - plain);
		append_escaped(buffer, (unsigned char)*text);
		plain = text + 1;
	}
	intp_buffer_append(buffer, plain, text - plain);
	intp_buffer_append(buffer, "\"", 1);
}

void intp_buffer_consume(struct intp_buffer *buffer, size_t length)
{
	if (length == 0)
		return;
	memmove(buffer->data, buffer->data + length, buffer->length - length);
	buffer->length -= length;
}

void intp_buffer_free(struct intp_buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct intp_buffer){0};
}
