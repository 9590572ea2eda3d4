// SPDX-License-Identifier: Apache-2.0
// Charts as SVG. Each is one image with a title and a description; its figures are in a table beside it.

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

const MOST_LEAVES = 24;
const LONGEST_NAME = 38;
const NAMES = 290;

/**
 * A tree of `merges` `{left, right, height}` of leaves `{kind, text}`, whose numbers come before those of the merges. Of more leaves than can be
 * read, those that merge first are one leaf.
 */
export function dendrogram(title, description, leaves, merges) {
    const nodes = [...leaves.map((leaf) => ({ ...leaf, height: 0, size: 1, parts: [] }))];
    merges.forEach(({ left, right, height }) => {
        const parts = [nodes[left], nodes[right]];
        nodes.push({ height, parts, size: parts[0].size + parts[1].size, kind: parts[0].kind, text: parts[0].text });
    });
    // The last ones are the tallest: with one fewer than there may be leaves, that many parts are left below them.
    const drawn = new Set(nodes.slice(-(Math.min(MOST_LEAVES, leaves.length) - 1)));
    const highest = nodes[nodes.length - 1].height || 1;
    const across = (height) => Math.round((NAMES + (height / highest) * (WIDTH - NAMES - MARGIN)) * 10) / 10;
    const step = (HEIGHT - 2 * MARGIN) / Math.min(MOST_LEAVES, leaves.length);
    const parts = [];
    let next = MARGIN + step / 2;
    const place = (node) => {
        if (!drawn.has(node)) {
            const y = next;
            next += step;
            const name = node.size === 1 ? node.text : `${node.text} and ${node.size - 1} more`;
            const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
            parts.push(
                svg("text", { class: "leaf", x: NAMES - 14, y }, short, svg("title", {}, name)),
                svg("g", { transform: `translate(${NAMES - 4} ${y}) scale(0.7)` }, mark(node.kind)),
            );
            return y;
        }
        const [left, right] = node.parts.map(place);
        const x = across(node.height);
        const from = node.parts.map((part) => (drawn.has(part) ? across(part.height) : NAMES + 2));
        parts.push(svg("path", { class: "branch", d: `M${from[0]} ${left}H${x}V${right}H${from[1]}` }));
        return (left + right) / 2;
    };
    place(nodes[nodes.length - 1]);
    return chart(title, description, parts);
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

const BAR = 160;

/** A bar as far as `used` of `most`, with lines at `configured` and at `usable`. */
export function extent(description, { used, configured, usable }, most) {
    const across = (value) => Math.round((value / most) * BAR * 10) / 10;
    return svg(
        "svg",
        { class: "extent", viewBox: `-2 0 ${BAR + 4} 16`, role: "img", "aria-label": description },
        svg("rect", { class: "used", x: 0, y: 3, width: across(used), height: 10 }),
        svg("path", { class: "configured", d: `M${across(configured)} 0v16` }),
        svg("path", { class: "usable", d: `M${across(usable)} 0v16` }),
    );
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
