/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <string.h>

#include "answer.h"

static void begin(struct intp_buffer *out, struct intp_tag tag)
{
	intp_buffer_text(out, "{\"v\":1");
	if (tag.given) {
		intp_buffer_text(out, ",\"id\":");
		intp_buffer_integer(out, tag.value);
	}
}

static void end(struct intp_buffer *out)
{
	intp_buffer_text(out, "}\n");
}

/* `before` is everything up to the value, its name with the punctuation around it. */
static void member_string(struct intp_buffer *out, const char *before, const char *value)
{
	intp_buffer_text(out, before);
	intp_buffer_string(out, value);
}

static void member_integer(struct intp_buffer *out, const char *before, int64_t value)
{
	intp_buffer_text(out, before);
	intp_buffer_integer(out, value);
}

static void member_number(struct intp_buffer *out, const char *before, double value)
{
	intp_buffer_text(out, before);
	intp_buffer_number(out, value);
}

const char *intp_attribution_name(enum intp_attribution attribution)
{
	static const char *const names[] = {
		[INTP_CGROUP_V2] = "cgroup_v2",
		[INTP_CGROUP_V1] = "cgroup_v1",
		[INTP_TREE] = "tree",
	};

	return names[attribution];
}

static void unavailable(struct intp_buffer *out, const struct intp_count *count)
{
	member_string(out, "{\"status\":\"unavailable\",\"source\":", count->source ? count->source : "none");
	member_string(out, ",\"reason\":", count->reason ? count->reason : "no source counts it");
	intp_buffer_text(out, "}");
}

/* Operations belong to blk, zero or not; another signal has them where its source counts them. */
static bool has_operations(enum intp_signal signal, const struct intp_count *count)
{
	return signal == INTP_BLK || count->operations > 0;
}

static void counted(struct intp_buffer *out, enum intp_signal signal, const struct intp_count *count,
		    const struct intp_count *said)
{
	bool known = said && said->status != INTP_UNAVAILABLE,
	     same = known && strcmp(said->source, count->source) == 0;
	const char *before = "{";

	if (count->status == INTP_APPORTIONED || !known) {
		intp_buffer_text(out, count->status == INTP_APPORTIONED ? "{\"status\":\"apportioned\""
									: "{\"status\":\"ok\"");
		before = ",";
	}
	if (!same) {
		intp_buffer_text(out, before);
		member_string(out, "\"source\":", count->source);
		before = ",";
	}
	intp_buffer_text(out, before);
	member_number(out, "\"used\":", count->used);
	member_number(out, ",\"capacity\":", count->capacity);
	if (has_operations(signal, count))
		member_number(out, ",\"operations\":", count->operations);
	intp_buffer_text(out, "}");
}

static void ability(struct intp_buffer *out, enum intp_signal signal, const struct intp_count *count,
		    const struct intp_count *said)
{
	(void)signal;
	(void)said;
	if (count->status == INTP_UNAVAILABLE) {
		unavailable(out, count);
		return;
	}
	member_string(out, "{\"source\":", count->source);
	intp_buffer_text(out, "}");
}

static void figures(struct intp_buffer *out, enum intp_signal signal, const struct intp_count *count,
		    const struct intp_count *said)
{
	if (count->status == INTP_UNAVAILABLE)
		unavailable(out, count);
	else
		counted(out, signal, count, said);
}

static bool same_text(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

static bool is_said(const struct intp_count *count, const struct intp_count *said)
{
	return said && count->status == INTP_UNAVAILABLE && said->status == INTP_UNAVAILABLE &&
	       same_text(count->source, said->source) && same_text(count->reason, said->reason);
}

static void signals(struct intp_buffer *out, const struct intp_sample *sample, const struct intp_sample *said,
		    void (*write)(struct intp_buffer *, enum intp_signal, const struct intp_count *,
				  const struct intp_count *))
{
	const char *before = "";

	intp_buffer_text(out, ",\"signals\":{");
	for (int i = 0; i < INTP_SIGNALS; i++) {
		const struct intp_count *already = said ? &said->counts[i] : NULL;

		if (is_said(&sample->counts[i], already))
			continue;
		member_string(out, before, intp_signal_name(i));
		intp_buffer_text(out, ":");
		write(out, i, &sample->counts[i], already);
		before = ",";
	}
	intp_buffer_text(out, "}");
}

void intp_answer_hello(struct intp_buffer *out, struct intp_tag tag, const struct intp_identity *identity,
		       const struct intp_sample *sample, const struct intp_count *peers)
{
	begin(out, tag);
	member_string(out, ",\"ok\":true,\"daemon\":\"intpd\",\"release\":", identity->release);
	member_integer(out, ",\"versions\":[", INTP_VERSION);
	member_string(out, "],\"boot\":", identity->boot);
	member_integer(out, ",\"start_ns\":", (int64_t)identity->start_ns);
	member_integer(out, ",\"limits\":{\"line\":", INTP_MAX_LINE);
	member_integer(out, ",\"watches\":", identity->watches);
	intp_buffer_text(out, "}");
	signals(out, sample, NULL, ability);
	if (peers) {
		intp_buffer_text(out, ",\"peers\":");
		ability(out, INTP_NETP, peers, NULL);
	}
	end(out);
}

static void watched(struct intp_buffer *out, const struct intp_outcome *outcomes, size_t count)
{
	const char *before = "{\"container\":";

	intp_buffer_text(out, ",\"watched\":[");
	for (size_t i = 0; i < count; i++) {
		if (outcomes[i].code)
			continue;
		member_string(out, before, outcomes[i].container);
		member_string(out, ",\"attribution\":", intp_attribution_name(outcomes[i].attribution));
		intp_buffer_text(out, "}");
		before = ",{\"container\":";
	}
	intp_buffer_text(out, "]");
}

static void refused(struct intp_buffer *out, const struct intp_outcome *outcomes, size_t count)
{
	const char *before = "{\"container\":";

	intp_buffer_text(out, ",\"refused\":[");
	for (size_t i = 0; i < count; i++) {
		if (!outcomes[i].code)
			continue;
		member_string(out, before, outcomes[i].container);
		member_string(out, ",\"code\":", outcomes[i].code);
		member_string(out, ",\"message\":", outcomes[i].message);
		intp_buffer_text(out, "}");
		before = ",{\"container\":";
	}
	intp_buffer_text(out, "]");
}

void intp_answer_watch(struct intp_buffer *out, struct intp_tag tag, const struct intp_outcome *outcomes,
		       size_t count)
{
	begin(out, tag);
	intp_buffer_text(out, ",\"ok\":true");
	watched(out, outcomes, count);
	refused(out, outcomes, count);
	end(out);
}

void intp_answer_unwatch(struct intp_buffer *out, struct intp_tag tag)
{
	begin(out, tag);
	intp_buffer_text(out, ",\"ok\":true");
	end(out);
}

static void takers(struct intp_buffer *out, const struct intp_row *container)
{
	intp_buffer_text(out, ",\"preempted_by\":[");
	for (int i = 0; i < container->taker_count; i++) {
		intp_buffer_text(out, i ? ",{" : "{");
		if (container->takers[i].container) {
			member_string(out, "\"container\":", container->takers[i].container);
			intp_buffer_text(out, ",");
		}
		member_number(out, "\"times\":", container->takers[i].times);
		intp_buffer_text(out, "}");
	}
	intp_buffer_text(out, "]");
}

/* IPv4 in its own notation. */
static void member_address(struct intp_buffer *out, const char *before, const unsigned char address[16])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	char text[INET6_ADDRSTRLEN] = "";

	if (memcmp(address, mapped, sizeof(mapped)) == 0)
		inet_ntop(AF_INET, address + sizeof(mapped), text, sizeof(text));
	else
		inet_ntop(AF_INET6, address, text, sizeof(text));
	member_string(out, before, text);
}

static void traffic(struct intp_buffer *out, const char *before, double sent, double received)
{
	member_number(out, before, sent);
	member_number(out, ",\"received\":", received);
	intp_buffer_text(out, "}");
}

static void peers(struct intp_buffer *out, const struct intp_peers *peers)
{
	intp_buffer_text(out, ",\"peers\":[");
	for (int i = 0; i < peers->count; i++) {
		const struct intp_peer *peer = &peers->list[i];

		member_address(out, i ? ",{\"local\":" : "{\"local\":", peer->local);
		member_integer(out, ",\"local_port\":", peer->local_port);
		member_address(out, ",\"remote\":", peer->remote);
		member_integer(out, ",\"remote_port\":", peer->remote_port);
		traffic(out, ",\"sent\":", peer->sent, peer->received);
	}
	intp_buffer_text(out, "]");
	traffic(out, ",\"other_peers\":{\"sent\":", peers->other_sent, peers->other_received);
}

static void row(struct intp_buffer *out, const char *before, const struct intp_row *container,
		const struct intp_sample *said)
{
	member_string(out, before, container->container);
	member_string(out, ",\"attribution\":", intp_attribution_name(container->attribution));
	intp_buffer_text(out, container->alive ? ",\"alive\":true" : ",\"alive\":false");
	if (container->knows_takers)
		takers(out, container);
	if (container->knows_peers)
		peers(out, &container->peers);
	signals(out, &container->sample, said, figures);
	intp_buffer_text(out, "}");
}

void intp_answer_snapshot(struct intp_buffer *out, struct intp_tag tag, uint64_t start_ns, uint64_t time_ns,
			  const struct intp_row *rows, size_t count, const struct intp_sample *said)
{
	begin(out, tag);
	member_integer(out, ",\"ok\":true,\"start_ns\":", (int64_t)start_ns);
	member_integer(out, ",\"time_ns\":", (int64_t)time_ns);
	intp_buffer_text(out, ",\"containers\":[");
	for (size_t i = 0; i < count; i++)
		row(out, i ? ",{\"container\":" : "{\"container\":", &rows[i], said);
	intp_buffer_text(out, "]");
	end(out);
}

void intp_answer_error(struct intp_buffer *out, struct intp_tag tag, const char *code, const char *message)
{
	begin(out, tag);
	member_string(out, ",\"ok\":false,\"error\":{\"code\":", code);
	member_string(out, ",\"message\":", message);
	intp_buffer_text(out, "}");
	end(out);
}
