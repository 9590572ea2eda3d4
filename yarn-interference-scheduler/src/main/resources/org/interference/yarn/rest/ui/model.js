// SPDX-License-Identifier: Apache-2.0
// Who predicts, and how well, over time.

import { lines, swatch } from "./charts.js";
import { details, el, facts, nothing, section, table } from "./dom.js";
import { bytes, decimal, moment, percent, whole, words, yesNo } from "./format.js";

const MOST_FIGURES = 10;
const MOST_KINDS = 200;

export async function model({ get }) {
    const answer = await get("model");
    return {
        title: "Model",
        content: [
            facts([
                ["Predictor", answer.predictor],
                ["Champion", answer.version === undefined ? answer.champion : `${answer.champion}, version ${answer.version}`],
                ["Observed slowdowns", whole(answer.observed)],
                ["Kept to learn from", whole(answer.rows)],
                ["Held out", whole(answer.heldOut)],
                ["Drifts", whole(answer.drifts)],
                ...Object.entries(answer.liveErrors).map(([name, error]) => [`Live error, ${name}`, percent(error)]),
                ["Profiles are in shares of", reference(answer.reference)],
                ["Observations within the 90 % interval", percent(answer.intervalCover)],
            ]),
            section("Accuracy over time", ...accuracy(answer.history)),
            section("Versions", versions(answer)),
            section("What its answers stand on", importance(answer)),
            section("Trainings", trainings(answer.rounds)),
            section("Corrections", corrections(answer)),
        ],
    };
}

function accuracy(history) {
    const told = history.filter((hour) => hour.meanError !== undefined);
    if (told.length === 0) {
        return [
            el(
                "p",
                { class: "empty" },
                "Not known yet: no prediction has been compared with what happened. " +
                    "That takes finished tasks whose kind has a run time alone.",
            ),
        ];
    }
    return [
        el(
            "figure",
            {},
            lines(
                "Mean error of predictions, by hour",
                `Mean absolute error as a share of the slowdown: ${percent(told[0].meanError)} in the first hour, ` +
                    `${percent(told.at(-1).meanError)} in the last.`,
                history.map((hour) => Date.parse(hour.from)),
                [
                    { kind: 0, values: history.map((hour) => hour.meanError) },
                    { kind: 1, values: history.map((hour) => hour.priorMeanError) },
                ],
            ),
            el(
                "ul",
                { class: "key" },
                el("li", {}, swatch(0), "what was predicted"),
                el("li", {}, swatch(1), "what the prior alone would have predicted"),
            ),
        ),
        details(
            "The same as a table",
            table(
                "Accuracy by hour",
                [
                    { head: "Hour from", kind: "name", cell: (hour) => moment(hour.from) },
                    { head: "Predictions", kind: "number", cell: (hour) => whole(hour.predictions) },
                    { head: "Mean error", kind: "number", cell: (hour) => percent(hour.meanError) },
                    { head: "Bias", kind: "number", cell: (hour) => percent(hour.bias) },
                    { head: "Mean error of the prior", kind: "number", cell: (hour) => percent(hour.priorMeanError) },
                ],
                history,
            ),
        ),
    ];
}

function versions(answer) {
    return table(
        "Versions that were learnt",
        [
            {
                head: "Version",
                kind: "name",
                cell: ({ version }) => [
                    whole(version),
                    version === answer.version ? el("strong", { class: "badge good" }, "champion") : "",
                ],
            },
            { head: "Model", cell: (version) => version.model },
            { head: "Trained", cell: (version) => moment(version.trainedAt) },
            { head: "Rows", kind: "number", cell: (version) => whole(version.rows) },
            { head: "Held out", kind: "number", cell: (version) => whole(version.heldOut) },
            { head: "Error", kind: "number", cell: (version) => percent(version.error) },
            { head: "Error of the prior", kind: "number", cell: (version) => percent(version.priorError) },
        ],
        answer.versions,
        "None yet: no training has beaten the prior. The prior answers.",
    );
}

function reference({ cpus, memoryBytes }) {
    if (cpus === undefined) {
        return undefined;
    }
    return `a node of ${whole(cpus)} CPUs${memoryBytes === undefined ? "" : ` and ${bytes(memoryBytes)}`}`;
}

function importance(answer) {
    const champion = answer.versions.find(({ version }) => version === answer.version);
    return table(
        "By how much the champion's error rises without a figure",
        [
            { head: "Figure", kind: "name", cell: ([name]) => name },
            { head: "Error rises by", kind: "number", cell: ([, rise]) => percent(rise) },
        ],
        Object.entries(champion?.importance ?? {}).slice(0, MOST_FIGURES),
        "Not known: no champion, or one that an earlier release trained.",
    );
}

function trainings(rounds) {
    return table(
        "Trainings",
        [
            { head: "At", kind: "name", cell: (round) => moment(round.at) },
            { head: "Because of", cell: (round) => words(round.trigger) },
            { head: "Rows", kind: "number", cell: (round) => whole(round.rows) },
            { head: "Held out", kind: "number", cell: (round) => whole(round.heldOut) },
            {
                head: "Errors",
                cell: (round) =>
                    Object.entries(round.errors).flatMap(([name, error], at) => [
                        at === 0 ? "" : ", ",
                        `${name} `,
                        percent(error),
                    ]),
            },
            { head: "Version", kind: "number", cell: (round) => whole(round.version) },
            { head: "What came of it", kind: "sentence", cell: (round) => round.reason },
        ],
        rounds,
        "None yet: it takes enough observed slowdowns to train on.",
    );
}

function corrections(answer) {
    const kinds = Object.entries(answer.kinds);
    return table(
        kinds.length > MOST_KINDS
            ? `Corrections of the whole cluster and of ${MOST_KINDS} of ${kinds.length} kinds of task`
            : "Corrections of the whole cluster and by kind of task",
        [
            { head: "Kind of task", kind: "name", cell: ([kind]) => kind },
            { head: "Exponent of the prior", kind: "number", cell: ([, by]) => decimal(by.exponentOfPrior) },
            { head: "Exponent of the model", kind: "number", cell: ([, by]) => decimal(by.exponentOfModel) },
            { head: "Uses the model", cell: ([, by]) => yesNo(by.usesModel) },
            { head: "Error", kind: "number", cell: ([, by]) => percent(by.error) },
            {
                head: "90 % interval",
                kind: "number",
                cell: ([, by]) => (by.spread === undefined ? nothing() : `within a factor of ${decimal(Math.exp(by.spread))}`),
            },
        ],
        [["the whole cluster", answer.cluster], ...kinds.slice(0, MOST_KINDS)],
    );
}
