/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "procfs.h"
#include "text.h"

#define SECTOR_BYTES 512

/* Moves `*at` behind the next field; false at the end of the text. */
static bool skip_field(const char **at)
{
	const char *field = *at + strspn(*at, " \t");
	size_t length = strcspn(field, " \t\n");
	*at = field + length;
	return length > 0;
}

static bool skip_fields(const char **at, int count)
{
	while (count-- > 0)
		if (!skip_field(at))
			return false;
	return true;
}

static bool scan_id(const char **at, pid_t *id)
{
	uint64_t number;
	if (!intp_scan(at, &number) || number > INT32_MAX)
		return false;
	*id = (pid_t)number;
	return true;
}

bool intp_parse_stat(const char *text, struct intp_stat *stat)
{
	struct intp_stat parsed = {0};
	/* The command name stands in parentheses and may itself hold blanks, parentheses and line ends. */
	const char *close = strrchr(text, ')');
	if (!close || !scan_id(&text, &parsed.pid) || text >= close)
		return false;
	text = close + 1;
	if (!skip_fields(&text, 1) || !scan_id(&text, &parsed.parent)) /* 3, the state, and 4 */
		return false;
	if (!skip_fields(&text, 1) || !scan_id(&text, &parsed.session)) /* 5 and 6 */
		return false;
	if (!skip_fields(&text, 15) || !intp_scan(&text, &parsed.start)) /* 7 to 21, and 22 */
		return false;
	if (!skip_fields(&text, 19) || !intp_scan(&text, &parsed.block_ticks)) /* 23 to 41, and 42 */
		parsed.block_ticks = 0;
	*stat = parsed;
	return true;
}

bool intp_parse_schedstat(const char *text, uint64_t *on_cpu_ns, uint64_t *wait_ns)
{
	uint64_t on_cpu, wait;
	if (!intp_scan(&text, &on_cpu) || !intp_scan(&text, &wait))
		return false;
	*on_cpu_ns = on_cpu;
	*wait_ns = wait;
	return true;
}

/* The number behind `name` at the start of a line. */
static bool member(const char *text, const char *name, int64_t *value)
{
	size_t length = strlen(name);
	while (text && strncmp(text, name, length) != 0) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	uint64_t number;
	if (!text)
		return false;
	text += length;
	if (!intp_scan(&text, &number) || number > INT64_MAX / 2)
		return false;
	*value = (int64_t)number;
	return true;
}

bool intp_parse_io(const char *text, struct intp_io *io)
{
	int64_t read, written, cancelled = 0;
	if (!member(text, "read_bytes:", &read) || !member(text, "write_bytes:", &written))
		return false;
	member(text, "cancelled_write_bytes:", &cancelled);
	*io = (struct intp_io){.read = read, .written = written - cancelled};
	return true;
}

static bool sectors_to_bytes(uint64_t *sectors)
{
	return !__builtin_mul_overflow(*sectors, SECTOR_BYTES, sectors);
}

bool intp_parse_disk(const char *line, struct intp_disk *disk)
{
	struct intp_disk parsed = {0};
	uint64_t flushes, flush_ms;
	if (!skip_fields(&line, 2)) /* major and minor */
		return false;
	line += strspn(line, " \t");
	size_t length = strcspn(line, " \t\n");
	if (length == 0 || length >= INTP_DISK_NAME)
		return false;
	memcpy(parsed.name, line, length);
	line += length;
	if (!intp_scan(&line, &parsed.reads) || !skip_fields(&line, 1) || !intp_scan(&line, &parsed.read_bytes) ||
	    !intp_scan(&line, &parsed.read_ms) || !intp_scan(&line, &parsed.writes) || !skip_fields(&line, 1) ||
	    !intp_scan(&line, &parsed.written_bytes) || !intp_scan(&line, &parsed.write_ms))
		return false;
	if (!sectors_to_bytes(&parsed.read_bytes) || !sectors_to_bytes(&parsed.written_bytes))
		return false;
	/* In flight, busy time, queue time and the four figures of discards stand before flushes, since Linux 5.5. */
	if (skip_fields(&line, 7) && intp_scan(&line, &flushes) && intp_scan(&line, &flush_ms)) {
		parsed.writes += flushes;
		parsed.write_ms += flush_ms;
	}
	*disk = parsed;
	return true;
}

uint64_t intp_disk_ms_since(uint64_t from, uint64_t to)
{
	const uint64_t wrap = UINT64_C(1) << 32;
	if (to >= from)
		return to - from;
	uint64_t wrapped = to + wrap - from;
	/* A small growth over the wrap is one; anything else is a disk that was taken away and given back. */
	return from < wrap && wrapped < wrap / 2 ? wrapped : 0;
}
