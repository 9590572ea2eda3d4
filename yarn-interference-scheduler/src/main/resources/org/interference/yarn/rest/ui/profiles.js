// SPDX-License-Identifier: Apache-2.0
// What each kind of task usually does, and which kinds are alike.

import { dendrogram, scatter, swatch } from "./charts.js";
import { details, el, facts, filter, link, nothing, pager, section, table } from "./dom.js";
import { decimal, duration, moment, whole } from "./format.js";
import { heatColumns, inOrder, legend, signalsOf } from "./heat.js";

export async function profiles({ name, query, get }) {
    return name === undefined ? all(query, get) : one(name, get);
}

async function all(query, get) {
    const [answer, clusters] = await Promise.all([
        get("profiles", { offset: query.offset, limit: query.limit, contains: query.contains }),
        get("clusters"),
    ]);
    const rows = answer.profiles;
    return {
        title: "Profiles",
        content: [
            section(
                "Kinds of task",
                filter("profiles", query, [{ name: "contains", label: "With this in their key" }]),
                legend(),
                pager(answer, rows.length, "profiles", query),
                table(
                    "Profiles, with the mean of each signal",
                    [
                        { head: "Key", kind: "name", cell: keyOf },
                        { head: "Level", cell: (profile) => profile.level },
                        { head: "State", cell: stateOf },
                        { head: "Samples", kind: "number", cell: (profile) => whole(profile.samples) },
                        { head: "Run time", kind: "number", cell: (profile) => runTime(profile.runTimeSeconds) },
                        { head: "alone", kind: "number", cell: (profile) => runTime(profile.runTimeSeconds.alone) },
                        { head: "contended", kind: "number", cell: (profile) => runTime(profile.runTimeSeconds.contended) },
                        ...heatColumns(signalsOf(rows.map(means)), rows, means),
                    ],
                    rows,
                    query.contains || answer.offset > 0
                        ? "No profile is like that. Clear the filter to see all."
                        : "None yet: profiles are learnt from tasks that finish on nodes with the NodeManager's plugin.",
                ),
            ),
            section("Which are alike", ...alike(clusters)),
        ],
    };
}

/** There is no resource of one profile; of those with its key in theirs it is answered first. */
async function one(name, get) {
    const answer = await get("profiles", { contains: name, limit: 1 });
    const found = answer.profiles.filter((profile) => profile.key === name);
    if (found.length === 0) {
        return {
            title: `Profile ${name}`,
            content: [
                el("p", { class: "empty" }, "There is no such profile: it was dropped, or only administrators see its key."),
            ],
        };
    }
    return { title: `Profile ${name}`, content: found.flatMap(describe) };
}

function describe(profile) {
    return [
        facts([
            ["Level", profile.level],
            ["State", stateOf(profile)],
            ["Mixed", profile.polluted ? "yes: different tasks are filed under this key" : "no"],
            ["Samples", whole(profile.samples)],
            ["Updated", moment(profile.updated)],
            [
                "Phases part at",
                profile.boundary && [`${profile.boundary.signal} `, decimal(profile.boundary.level)],
            ],
        ]),
        averages("Run time", "Seconds", [
            ["all", profile.runTimeSeconds],
            ["alone", profile.runTimeSeconds.alone],
            ["contended", profile.runTimeSeconds.contended],
        ]),
        averages("Signals", "Signal", entries(profile.signals)),
        section(
            "What was launched",
            table(
                "Samples by hash of what was launched",
                [
                    { head: "Hash", kind: "name", cell: ([launch]) => launch },
                    { head: "Samples", kind: "number", cell: ([, samples]) => whole(samples) },
                ],
                Object.entries(profile.launches),
                "Not known: its samples came without a hash.",
            ),
        ),
    ];
}

function entries(signals) {
    return inOrder(Object.keys(signals)).map((signal) => [signal, signals[signal]]);
}

function averages(heading, head, rows) {
    const column = (text, field) => ({ head: text, kind: "number", cell: ([, value]) => decimal(value[field]) });
    return section(
        heading,
        table(
            `${heading}: averages`,
            [
                { head, kind: "name", cell: ([name]) => name },
                column("Mean", "mean"),
                column("Deviation", "deviation"),
                column("Recent mean", "fast"),
                column("95th percentile", "p95"),
                column("Peak", "peak"),
                { head: "Samples", kind: "number", cell: ([, value]) => whole(value.samples) },
            ],
            rows.filter(([, value]) => value !== undefined),
            "None yet: nothing of it was measured.",
        ),
    );
}

function alike({ clusters, points, choices, merges }) {
    if (points.length === 0) {
        return [
            el("p", { class: "empty" }, "Not known yet: it takes several profiles with enough samples to tell which are alike."),
        ];
    }
    const signals = inOrder([...new Set(clusters.flatMap((cluster) => Object.keys(cluster.signals)))]);
    return [
        el(
            "figure",
            {},
            scatter(
                "Profiles in the plane of their two principal components",
                `${points.length} profiles in ${clusters.length} clusters. Those near each other press on the same resources.`,
                points.map((point) => ({ x: point.x, y: point.y, kind: point.cluster, text: point.key })),
            ),
            el(
                "ul",
                { class: "key" },
                clusters.map((cluster, number) => el("li", {}, swatch(number), `cluster ${number}: ${cluster.size}`)),
            ),
        ),
        merges.length === 0
            ? ""
            : el(
                  "figure",
                  {},
                  dendrogram(
                      "Profiles as a hierarchy",
                      `${points.length} profiles. The further right two branches meet, the less alike they are (Ward's linkage).`,
                      points.map((point) => ({ kind: point.cluster, text: point.key })),
                      merges,
                  ),
              ),
        details(
            "The same as a table",
            table(
                "Profiles in the plane",
                [
                    { head: "Key", kind: "name", cell: (point) => point.key },
                    { head: "Cluster", kind: "number", cell: (point) => whole(point.cluster) },
                    { head: "Branch of the hierarchy", kind: "number", cell: (point) => whole(point.branch) },
                    { head: "First component", kind: "number", cell: (point) => decimal(point.x) },
                    { head: "Second component", kind: "number", cell: (point) => decimal(point.y) },
                ],
                points,
            ),
        ),
        table(
            "Clusters: interference class of each signal, and its mean",
            [
                { head: "Cluster", kind: "name", cell: (number) => whole(number) },
                { head: "Profiles", kind: "number", cell: (number) => whole(clusters[number].size) },
                ...signals.map((signal) => ({
                    head: signal,
                    cell: (number) => centre(clusters[number].signals[signal]),
                })),
            ],
            clusters.map((_, number) => number),
        ),
        details(
            "Why so many clusters",
            table(
                "Numbers of clusters that were tried",
                [
                    { head: "Clusters", kind: "name", cell: (choice) => whole(choice.clusters) },
                    { head: "Sum of squares within", kind: "number", cell: (choice) => decimal(choice.within) },
                    { head: "Silhouette", kind: "number", cell: (choice) => decimal(choice.silhouette) },
                ],
                choices,
                "None was tried: there are too few profiles.",
            ),
        ),
    ];
}

function centre(found) {
    return found === undefined ? nothing("not measured") : [`${found.class} `, decimal(found.mean)];
}

/** Who may not view all applications sees a hash, even of kinds of their own. */
function keyOf(profile) {
    const key = link(profile.key, "profiles", profile.key);
    return profile.visible ? key : [el("em", {}, "for administrators"), " ", key];
}

function stateOf(profile) {
    const state = profile.state.toLowerCase();
    return profile.polluted ? `${state}, mixed` : state;
}

function runTime(averages) {
    return averages === undefined || averages.samples === 0 ? nothing("never seen") : duration(averages.mean);
}

function means(profile) {
    return Object.fromEntries(Object.entries(profile.signals).map(([signal, { mean }]) => [signal, mean]));
}
