// SPDX-License-Identifier: Apache-2.0
// Elements of every view. Names of tasks, queues and applications are their users' own: text becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export function el(tag, attributes = {}, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(name, value);
        } else if (value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? "" : value);
        }
    }
    element.append(...children.flat().filter((child) => child !== undefined && child !== ""));
    return element;
}

/** The address of a view: `#/nodes/host:8041?offset=100`. */
export function to(view, name, query = {}) {
    const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    return (
        `#/${view}` +
        (name === undefined ? "" : `/${encodeURIComponent(name)}`) +
        (asked.length === 0 ? "" : `?${new URLSearchParams(asked)}`)
    );
}

export function link(text, ...address) {
    return el("a", { href: to(...address) }, text);
}

/** What a screen reader reads and nobody sees. */
export function unseen(text) {
    return el("span", { class: "unseen" }, text);
}

/** Something that is not known; the dash alone is not read aloud. */
export function nothing(why = "not known") {
    return el("span", {}, el("span", { "aria-hidden": "true" }, "–"), unseen(why));
}

export function container(party) {
    return party.visible && party.container !== undefined
        ? link(party.container, "containers", party.container)
        : others(party);
}

/** The text of a field that is kept from who may not view the application, or that is not known of it. */
export function others(party, field) {
    if (!party.visible) {
        return el("em", {}, "another user's");
    }
    return party[field] ?? nothing();
}

export function section(heading, ...content) {
    return el("section", {}, el("h2", {}, heading), ...content);
}

export function facts(entries) {
    return el(
        "dl",
        { class: "facts" },
        entries
            .filter(([, value]) => value !== undefined)
            .map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, value))),
    );
}

export function list(sentences) {
    return el(
        "ul",
        {},
        sentences.map((sentence) => el("li", {}, sentence)),
    );
}

export function details(summary, ...content) {
    return el("details", {}, el("summary", {}, summary), ...content);
}

/**
 * A table in a box that scrolls sideways on its own, so that the page never does.
 *
 * A column has a `head`, a `cell` of a row, and may have a `kind` ("name" heads its row, "number", "sentence") and a
 * `shade` of a row. Without rows there is a sentence that says why.
 */
export function table(caption, columns, rows, why) {
    if (rows.length === 0) {
        return el("p", { class: "empty" }, why);
    }
    return el(
        "div",
        { class: "wide", role: "group", "aria-label": caption, tabindex: "0" },
        el(
            "table",
            {},
            el("caption", {}, caption),
            el("thead", {}, el("tr", {}, columns.map(headOf))),
            el(
                "tbody",
                {},
                rows.map((row) => el("tr", {}, columns.map((column) => cellOf(column, row)))),
            ),
        ),
    );
}

function headOf(column) {
    return el("th", { scope: "col", class: column.kind }, column.head);
}

function cellOf(column, row) {
    const style = [column.kind, column.shade?.(row)].filter(Boolean).join(" ") || undefined;
    return column.kind === "name"
        ? el("th", { scope: "row", class: style }, column.cell(row))
        : el("td", { class: style }, column.cell(row));
}

/** Previous and next of an answer with `total`, `offset` and `limit`; the rest of the query stays. */
export function pager(answer, shown, view, query) {
    const { total, offset, limit } = answer;
    const move = (text, there, possible) =>
        el(
            "button",
            {
                type: "button",
                disabled: !possible,
                click: () => {
                    location.hash = to(view, undefined, { ...query, offset: there });
                },
            },
            text,
        );
    return el(
        "div",
        { class: "pager", role: "group", "aria-label": "Pages" },
        move("Previous", Math.max(0, offset - limit), offset > 0),
        el("span", {}, shown === 0 ? `none of ${total}` : `${offset + 1} to ${offset + shown} of ${total}`),
        move("Next", offset + limit, offset + shown < total),
    );
}

/**
 * A form whose fields become the query of the view; what the view's other forms have asked for stays.
 * A field with `options` is a choice, one with `seconds` a whole number up to that, others are text.
 */
export function filter(view, query, fields) {
    const form = el(
        "form",
        {
            class: "filter",
            submit: (event) => {
                event.preventDefault();
                const asked = { ...query, offset: "" };
                for (const [name, value] of new FormData(form)) {
                    asked[name] = value.trim();
                }
                location.hash = to(view, undefined, asked);
            },
        },
        fields.map((field) => el("label", {}, field.label, inputOf(field, query[field.name] ?? ""))),
        el("button", { type: "submit" }, "Show"),
    );
    return form;
}

function inputOf(field, value) {
    if (field.seconds !== undefined) {
        return el("input", { name: field.name, value, type: "number", min: "1", max: String(field.seconds), autocomplete: "off" });
    }
    if (field.options === undefined) {
        return el("input", { name: field.name, value, autocomplete: "off", spellcheck: "false" });
    }
    return el(
        "select",
        { name: field.name },
        Object.entries(field.options).map(([option, text]) =>
            el("option", { value: option, selected: option === value }, text),
        ),
    );
}
