/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "../signal/merge.h"
#include "panel.h"

void intp_panel_add(struct intp_panel *panel, struct intp_source *source, uint32_t business)
{
	panel->entries[panel->count++] = (struct intp_panel_entry){
		.name = source->name,
		.source = source,
		.business = business,
	};
}

void intp_panel_add_absent(struct intp_panel *panel, const char *name, uint32_t business, const char *reason)
{
	struct intp_panel_entry *entry = &panel->entries[panel->count++];

	*entry = (struct intp_panel_entry){.name = name, .business = business};
	snprintf(entry->reason, sizeof(entry->reason), "%s", reason);
}

struct intp_source *intp_panel_primary(const struct intp_panel *panel)
{
	for (int i = 0; i < panel->count; i++)
		if (panel->entries[i].source)
			return panel->entries[i].source;
	return NULL;
}

void intp_panel_rank(const struct intp_panel *panel, enum intp_signal signal, int order[INTP_MAX_SOURCES])
{
	int ranked = 0;

	for (int i = 0; i < panel->count; i++)
		if (panel->entries[i].business & (1u << signal))
			order[ranked++] = i;
	for (int i = 0; i < panel->count; i++)
		if (!(panel->entries[i].business & (1u << signal)))
			order[ranked++] = i;
}

const char *intp_panel_absence(const struct intp_panel_entry *entry, enum intp_signal signal)
{
	if (!entry->source)
		return entry->business & (1u << signal) ? entry->reason : NULL;
	if (entry->source->signals & (1u << signal))
		return NULL;
	return entry->source->reason(entry->source, signal);
}

static bool counts(const struct intp_panel_entry *entry, enum intp_signal signal)
{
	return entry->source && entry->source->signals & (1u << signal);
}

void intp_panel_abilities(const struct intp_panel *panel, struct intp_sample *abilities)
{
	struct intp_count offers[INTP_MAX_SOURCES];
	int order[INTP_MAX_SOURCES];

	for (int signal = 0; signal < INTP_SIGNALS; signal++) {
		intp_panel_rank(panel, signal, order);
		for (int i = 0; i < panel->count; i++) {
			const struct intp_panel_entry *entry = &panel->entries[order[i]];

			offers[i] = counts(entry, signal)
					    ? intp_count_of(entry->name, 0, 0)
					    : intp_no_count(entry->name, intp_panel_absence(entry, signal));
		}
		abilities->counts[signal] = intp_merge(offers, panel->count);
	}
}

struct intp_count intp_panel_peers(const struct intp_panel *panel)
{
	const struct intp_source *primary = intp_panel_primary(panel);
	const struct intp_panel_entry *first = &panel->entries[0];

	if (primary && primary->peers)
		return intp_count_of(primary->name, 0, 0);
	if (primary && primary->no_peers)
		return intp_no_count(primary->name, primary->no_peers);
	if (panel->count && !first->source)
		return intp_no_count(first->name, first->reason);
	return intp_no_count("none", "no source counts it");
}

void intp_panel_close(struct intp_panel *panel)
{
	for (int i = 0; i < panel->count; i++)
		if (panel->entries[i].source)
			panel->entries[i].source->close(panel->entries[i].source);
	panel->count = 0;
}
