/* SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../source/source.h"
#include "request.h"

__attribute__((format(printf, 3, 4))) static bool refuse(struct intp_refusal *refusal, const char *code,
							 const char *format, ...)
{
	va_list arguments;

	refusal->code = code;
	va_start(arguments, format);
	vsnprintf(refusal->message, sizeof(refusal->message), format, arguments);
	va_end(arguments);
	return false;
}

static bool malformed(struct intp_refusal *refusal, const char *message)
{
	return refuse(refusal, INTP_MALFORMED, "%s", message);
}

/* The parser recurses once a level; this keeps someone else's brackets off our stack. */
static bool too_deep(const char *line, size_t length)
{
	bool quoted = false;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		char c = line[i];

		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			depth++;
		else if (!quoted && (c == '}' || c == ']'))
			depth--;
		if (depth > INTP_MAX_DEPTH)
			return true;
	}
	return false;
}

static bool read_tag(const json_t *document, struct intp_tag *tag, struct intp_refusal *refusal)
{
	const json_t *id = json_object_get(document, "id");

	if (!id)
		return true;
	if (!json_is_integer(id))
		return malformed(refusal, "id is not an integer");
	tag->given = true;
	tag->value = json_integer_value(id);
	return true;
}

static bool check_version(const json_t *document, struct intp_refusal *refusal)
{
	const json_t *version = json_object_get(document, "v");

	if (!json_is_integer(version))
		return malformed(refusal, "v is missing or not an integer");
	if (json_integer_value(version) != INTP_VERSION)
		return refuse(refusal, INTP_UNSPOKEN, "version %lld is not spoken here; versions: %d",
			      (long long)json_integer_value(version), INTP_VERSION);
	return true;
}

static bool read_op(const json_t *document, enum intp_op *op, struct intp_refusal *refusal)
{
	static const char *const names[] = {
		[INTP_HELLO] = "hello",
		[INTP_WATCH] = "watch",
		[INTP_UNWATCH] = "unwatch",
		[INTP_SNAPSHOT] = "snapshot",
	};
	const char *name = json_string_value(json_object_get(document, "op"));

	if (!name)
		return malformed(refusal, "op is missing or not a string");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i]) == 0) {
			*op = i;
			return true;
		}
	}
	return refuse(refusal, INTP_UNKNOWN_OP, "the operations are hello, watch, unwatch and snapshot");
}

static bool read_watch_target(const json_t *item, struct intp_target *target, struct intp_refusal *refusal)
{
	const json_t *pid = json_object_get(item, "pid"), *start = json_object_get(item, "start");

	target->container = json_string_value(json_object_get(item, "container"));
	if (!target->container)
		return malformed(refusal, "containers holds one whose container is missing or not a string");
	if (!json_is_integer(pid))
		return malformed(refusal, "containers holds one whose pid is missing or not an integer");
	target->pid = json_integer_value(pid);
	if (start && (!json_is_integer(start) || json_integer_value(start) < 1))
		return malformed(refusal, "containers holds one whose start is not a positive integer");
	target->start = json_integer_value(start);
	return true;
}

static bool read_unwatch_target(const json_t *item, struct intp_target *target, struct intp_refusal *refusal)
{
	target->container = json_string_value(item);
	return target->container || malformed(refusal, "containers holds one that is not a string");
}

static bool read_targets(const json_t *document, struct intp_request *request, struct intp_refusal *refusal)
{
	const json_t *containers = json_object_get(document, "containers");
	size_t count = json_array_size(containers);

	if (!json_is_array(containers))
		return malformed(refusal, "containers is missing or not an array");
	request->targets = calloc(count ? count : 1, sizeof(*request->targets));
	if (!request->targets)
		return refuse(refusal, INTP_FAILED, "out of memory");
	for (size_t i = 0; i < count; i++) {
		const json_t *item = json_array_get(containers, i);
		struct intp_target *target = &request->targets[i];

		if (request->op == INTP_WATCH ? !read_watch_target(item, target, refusal)
					      : !read_unwatch_target(item, target, refusal))
			return false;
	}
	request->count = count;
	return true;
}

static bool read_members(const json_t *document, struct intp_request *request, struct intp_refusal *refusal)
{
	if (!json_is_object(document))
		return malformed(refusal, "not a JSON object");
	if (!read_tag(document, &request->tag, refusal) || !check_version(document, refusal) ||
	    !read_op(document, &request->op, refusal))
		return false;
	request->brief = json_is_true(json_object_get(document, "brief"));
	if (request->op == INTP_WATCH || request->op == INTP_UNWATCH)
		return read_targets(document, request, refusal);
	return true;
}

bool intp_request_parse(const char *line, size_t length, struct intp_request *request, struct intp_refusal *refusal)
{
	json_t *document;

	*request = (struct intp_request){0};
	if (length > INTP_MAX_LINE)
		return refuse(refusal, INTP_TOO_LONG, "a line has more than %d bytes", INTP_MAX_LINE);
	if (too_deep(line, length))
		return refuse(refusal, INTP_MALFORMED, "more than %d levels of objects and arrays", INTP_MAX_DEPTH);
	document = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
	if (!read_members(document, request, refusal)) {
		free(request->targets);
		request->targets = NULL;
		json_decref(document);
		return false;
	}
	request->document = document;
	return true;
}

void intp_request_free(struct intp_request *request)
{
	free(request->targets);
	json_decref(request->document);
	*request = (struct intp_request){0};
}

bool intp_container_id_valid(const char *id)
{
	size_t length = strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-");

	return length > 0 && length <= INTP_MAX_ID && id[length] == '\0';
}
