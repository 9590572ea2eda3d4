/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing buffer of bytes, zeroed to begin with. Without memory it turns `failed` and swallows what follows, so
 * that a writer checks once at the end. Not thread-safe.
 */
#ifndef INTP_BUFFER_H
#define INTP_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct intp_buffer {
	char *data;
	size_t length;
	size_t room; /* bytes allocated */
	bool failed;
};

/* Makes room for `more` bytes behind what is there; false without memory, now or before. */
bool intp_buffer_reserve(struct intp_buffer *buffer, size_t more);

static inline void intp_buffer_append(struct intp_buffer *buffer, const char *bytes, size_t length)
{
	if (length == 0 || (buffer->room - buffer->length < length && !intp_buffer_reserve(buffer, length)))
		return;
	memcpy(buffer->data + buffer->length, bytes, length);
	buffer->length += length;
}

static inline void intp_buffer_text(struct intp_buffer *buffer, const char *text)
{
	intp_buffer_append(buffer, text, strlen(text));
}

void intp_buffer_integer(struct intp_buffer *buffer, int64_t value);

/*
 * A JSON number, whatever the locale. Below 9e12 it is exact to six decimals, whose unit is then below anything that
 * is counted here; above, 16 significant digits. What is not finite becomes `null`.
 */
void intp_buffer_number(struct intp_buffer *buffer, double value);

/* A JSON string with its quotes; bytes above 0x7f pass through, so the text must be UTF-8. */
void intp_buffer_string(struct intp_buffer *buffer, const char *text);

/* Drops the first `length` bytes. */
void intp_buffer_consume(struct intp_buffer *buffer, size_t length);

void intp_buffer_free(struct intp_buffer *buffer);

#endif
