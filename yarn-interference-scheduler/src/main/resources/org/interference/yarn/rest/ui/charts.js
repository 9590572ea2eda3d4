// SPDX-License-Identifier: Apache-2.0
// Two charts as SVG. Each is one image with a title and a description; its figures are in a table beside it.

import { svg } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 320;
const LEFT = 64;
const BOTTOM = 44;
const MARGIN = 16;
const TICKS = 4;
const DAYS_BY_HOUR = 3 * 86_400_000;
// Shapes tell apart what colours do, for who does not see those.
const SHAPES = [
    "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0",
    "M-5,-5h10v10h-10z",
    "M0,-6l6,11h-12z",
    "M0,-7l6,7l-6,7l-6,-7z",
    "M-6,-2h4v-4h4v4h4v4h-4v4h-4v-4h-4z",
    "M0,6l6,-11h-12z",
];

export function mark(kind) {
    return svg("path", { d: SHAPES[kind % SHAPES.length], class: `mark kind${kind % SHAPES.length}` });
}

/** A picture of a mark, for a legend; the text beside it says what it is. */
export function swatch(kind) {
    return svg("svg", { class: "swatch", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, mark(kind));
}

/** Points `{x, y, kind, text}` in a plane whose axes have no unit. */
export function scatter(title, description, points) {
    const across = scale(points.map((point) => point.x), LEFT, WIDTH - MARGIN);
    const up = scale(points.map((point) => point.y), HEIGHT - BOTTOM, MARGIN);
    return chart(
        title,
        description,
        axes(across, up, (value) => value.toFixed(1), (value) => value.toFixed(1)),
        points.map((point) =>
            svg(
                "g",
                { transform: `translate(${across(point.x)} ${up(point.y)})` },
                svg("title", {}, point.text),
                mark(point.kind),
            ),
        ),
    );
}

/** Lines of shares over time: `times` in milliseconds, and lines `{kind, values}` where a value may be missing. */
export function lines(title, description, times, drawn) {
    const values = drawn.flatMap((line) => line.values).filter((value) => value !== undefined);
    const across = scale(times, LEFT, WIDTH - MARGIN);
    const up = scale([0, ...values], HEIGHT - BOTTOM, MARGIN);
    // Without the year: the last five characters of a date are the month and the day, and of a time all there is.
    const clock = new Intl.DateTimeFormat(
        "sv-SE",
        across.high - across.low > DAYS_BY_HOUR
            ? { dateStyle: "short" }
            : { hour: "2-digit", minute: "2-digit" },
    );
    return chart(
        title,
        description,
        axes(across, up, (time) => clock.format(new Date(time)).slice(-5), (share) => `${(100 * share).toFixed(0)} %`),
        drawn.map((line) => [
            svg("path", { d: pathOf(times, line.values, across, up), class: `line kind${line.kind}` }),
            ...line.values.map((value, at) =>
                value === undefined
                    ? ""
                    : svg("g", { transform: `translate(${across(times[at])} ${up(value)})` }, mark(line.kind)),
            ),
        ]),
    );
}

/** Where an hour is missing the line is interrupted, not drawn through. */
function pathOf(times, values, across, up) {
    let path = "";
    let broken = true;
    values.forEach((value, at) => {
        if (value !== undefined) {
            path += `${broken ? "M" : "L"}${across(times[at])} ${up(value)}`;
        }
        broken = value === undefined;
    });
    return path;
}

let charts = 0;

function chart(title, description, ...layers) {
    const id = `chart${++charts}`;
    return svg(
        "svg",
        {
            class: "chart",
            viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
            role: "img",
            "aria-labelledby": `${id}title`,
            "aria-describedby": `${id}description`,
        },
        svg("title", { id: `${id}title` }, title),
        svg("desc", { id: `${id}description` }, description),
        ...layers.flat(2),
    );
}

function axes(across, up, acrossText, upText) {
    const ticks = [];
    for (let tick = 0; tick <= TICKS; tick++) {
        const x = across.low + ((across.high - across.low) * tick) / TICKS;
        const y = up.low + ((up.high - up.low) * tick) / TICKS;
        ticks.push(
            svg("line", { class: "grid", x1: LEFT, x2: WIDTH - MARGIN, y1: up(y), y2: up(y) }),
            svg("text", { class: "up", x: LEFT - 8, y: up(y) }, upText(y)),
            svg("text", { class: "across", x: across(x), y: HEIGHT - MARGIN }, acrossText(x)),
        );
    }
    return ticks;
}

function scale(values, from, to) {
    let low = Math.min(...values);
    let high = Math.max(...values);
    if (low === high) {
        low -= 0.5;
        high += 0.5;
    }
    const place = (value) => Math.round((from + ((value - low) / (high - low)) * (to - from)) * 10) / 10;
    return Object.assign(place, { low, high });
}
