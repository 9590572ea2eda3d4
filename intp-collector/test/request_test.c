/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <string.h>

#include "../wire/request.h"
#include "claims.h"

static struct intp_request request;
static struct intp_refusal refusal;

static bool accepts_bytes(const char *line, size_t length)
{
	bool accepted = intp_request_parse(line, length, &request, &refusal);

	if (accepted)
		intp_request_free(&request);
	return accepted;
}

static bool accepts(const char *line)
{
	return accepts_bytes(line, strlen(line));
}

static bool refused_as(const char *code, const char *line)
{
	return !accepts(line) && strcmp(refusal.code, code) == 0 && refusal.message[0];
}

static void every_golden_request_is_accepted(void)
{
	FILE *golden = fopen("wire/golden/requests.jsonl", "r");
	char line[4096];
	int lines = 0;

	CHECK(golden);
	for (; fgets(line, sizeof(line), golden); lines++) {
		line[strcspn(line, "\n")] = '\0';
		CHECK(accepts(line));
	}
	fclose(golden);
	CHECK(lines == 4);
}

static void a_watch_names_containers_with_their_processes(void)
{
	const char *line = "{\"v\":1,\"op\":\"watch\",\"id\":-7,\"containers\":[{\"container\":\"a\",\"pid\":4711},"
			   "{\"pid\":1,\"container\":\"b\",\"more\":[1]}]}";

	CHECK(intp_request_parse(line, strlen(line), &request, &refusal));
	CHECK(request.op == INTP_WATCH && request.tag.given && request.tag.value == -7 && request.count == 2);
	CHECK(strcmp(request.targets[0].container, "a") == 0 && request.targets[0].pid == 4711);
	CHECK(strcmp(request.targets[1].container, "b") == 0 && request.targets[1].pid == 1);
	intp_request_free(&request);
}

static void a_snapshot_may_be_brief(void)
{
	const char *brief = "{\"v\":1,\"op\":\"snapshot\",\"brief\":true}",
		   *whole = "{\"v\":1,\"op\":\"snapshot\",\"brief\":1}";

	CHECK(intp_request_parse(brief, strlen(brief), &request, &refusal) && request.brief);
	intp_request_free(&request);
	CHECK(intp_request_parse(whole, strlen(whole), &request, &refusal) && !request.brief);
	intp_request_free(&request);
}

static void members_that_are_not_known_are_ignored(void)
{
	CHECK(accepts("{\"v\":1,\"op\":\"snapshot\",\"since\":{\"a\":[1.5,null,true]}}"));
}

static void what_is_not_an_object_is_malformed(void)
{
	const char *const lines[] = {"",   " ",	       "null",	     "[]",	"1",	       "\"v\"",	  "{",
				     "{]", "{\"v\":1", "{\"v\":1,}", "{'v':1}", "{\"v\":1}{}", "\xff\xfe"};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		CHECK(refused_as(INTP_MALFORMED, lines[i]));
}

static void a_member_that_is_missing_or_of_the_wrong_type_is_malformed(void)
{
	const char *const lines[] = {
		"{\"op\":\"hello\"}",
		"{\"v\":\"1\",\"op\":\"hello\"}",
		"{\"v\":1.0,\"op\":\"hello\"}",
		"{\"v\":1}",
		"{\"v\":1,\"op\":7}",
		"{\"v\":1,\"op\":\"hello\",\"id\":\"x\"}",
		"{\"v\":1,\"op\":\"hello\",\"id\":null}",
		"{\"v\":1,\"op\":\"watch\"}",
		"{\"v\":1,\"op\":\"watch\",\"containers\":{}}",
		"{\"v\":1,\"op\":\"watch\",\"containers\":[{\"container\":\"a\"}]}",
		"{\"v\":1,\"op\":\"watch\",\"containers\":[{\"container\":\"a\",\"pid\":1.5}]}",
		"{\"v\":1,\"op\":\"watch\",\"containers\":[{\"container\":3,\"pid\":1}]}",
		"{\"v\":1,\"op\":\"watch\",\"containers\":[\"a\"]}",
		"{\"v\":1,\"op\":\"unwatch\",\"containers\":[{\"container\":\"a\"}]}",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		CHECK(refused_as(INTP_MALFORMED, lines[i]));
}

static void a_name_given_twice_is_malformed(void)
{
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\",\"op\":\"snapshot\"}"));
}

static void a_nul_is_malformed_raw_or_escaped(void)
{
	const char raw[] = "{\"v\":1,\"op\":\"hel\0lo\"}";
	const char behind[] = "{\"v\":1,\"op\":\"hello\"}\0";

	CHECK(!accepts_bytes(raw, sizeof(raw) - 1));
	CHECK(!accepts_bytes(behind, sizeof(behind) - 1));
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\\u0000\"}"));
}

static void text_that_is_not_utf8_is_malformed(void)
{
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\",\"x\":\"\xff\"}"));
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\",\"x\":\"\xc0\xaf\"}"));
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\",\"x\":\"\\ud800\"}"));
}

static void a_number_that_does_not_fit_is_malformed(void)
{
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\",\"id\":9223372036854775808}"));
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\",\"x\":1e999}"));
	CHECK(accepts("{\"v\":1,\"op\":\"hello\",\"id\":9223372036854775807}"));
	CHECK(accepts("{\"v\":1,\"op\":\"hello\",\"id\":-9223372036854775808}"));
}

static void nesting_has_a_limit(void)
{
	CHECK(accepts("{\"v\":1,\"op\":\"hello\",\"x\":[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}"));
	CHECK(refused_as(INTP_MALFORMED, "{\"v\":1,\"op\":\"hello\",\"x\":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}"));
	CHECK(accepts("{\"v\":1,\"op\":\"hello\",\"x\":\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[[[[[[[[[[[\"}"));
}

static void another_version_is_refused_with_the_tag_given_back(void)
{
	CHECK(refused_as(INTP_UNSPOKEN, "{\"v\":2,\"op\":\"leap\",\"id\":9}"));
	CHECK(strcmp(refusal.message, "version 2 is not spoken here; versions: 1") == 0);
	CHECK(request.tag.given && request.tag.value == 9);
}

static void another_operation_is_refused_as_unknown(void)
{
	CHECK(refused_as(INTP_UNKNOWN_OP, "{\"v\":1,\"op\":\"reset\"}"));
	CHECK(refused_as(INTP_UNKNOWN_OP, "{\"v\":1,\"op\":\"\"}"));
}

static void a_line_has_a_limit(void)
{
	static char line[INTP_MAX_LINE + 2];
	int length = sprintf(line, "{\"v\":1,\"op\":\"hello\",\"x\":\"");

	memset(line + length, 'x', INTP_MAX_LINE - length - 2);
	memcpy(line + INTP_MAX_LINE - 2, "\"}", 2);
	CHECK(accepts_bytes(line, INTP_MAX_LINE));
	memcpy(line + INTP_MAX_LINE - 2, "x\"}", 3);
	CHECK(!accepts_bytes(line, INTP_MAX_LINE + 1) && strcmp(refusal.code, INTP_TOO_LONG) == 0);
}

static void a_container_id_has_up_to_128_of_the_characters_of_ids(void)
{
	char longest[130];

	memset(longest, 'a', sizeof(longest));
	longest[128] = '\0';
	CHECK(intp_container_id_valid(longest));
	longest[128] = 'a';
	longest[129] = '\0';
	CHECK(!intp_container_id_valid(longest));
	CHECK(intp_container_id_valid("container_e17_1700000000000_0001_01_000003"));
	CHECK(!intp_container_id_valid("") && !intp_container_id_valid("a/b") && !intp_container_id_valid("a b"));
	CHECK(!intp_container_id_valid("caf\xc3\xa9"));
}

int main(void)
{
	CLAIM(every_golden_request_is_accepted);
	CLAIM(a_watch_names_containers_with_their_processes);
	CLAIM(a_snapshot_may_be_brief);
	CLAIM(members_that_are_not_known_are_ignored);
	CLAIM(what_is_not_an_object_is_malformed);
	CLAIM(a_member_that_is_missing_or_of_the_wrong_type_is_malformed);
	CLAIM(a_name_given_twice_is_malformed);
	CLAIM(a_nul_is_malformed_raw_or_escaped);
	CLAIM(text_that_is_not_utf8_is_malformed);
	CLAIM(a_number_that_does_not_fit_is_malformed);
	CLAIM(nesting_has_a_limit);
	CLAIM(another_version_is_refused_with_the_tag_given_back);
	CLAIM(another_operation_is_refused_as_unknown);
	CLAIM(a_line_has_a_limit);
	CLAIM(a_container_id_has_up_to_128_of_the_characters_of_ids);
	return 0;
}
