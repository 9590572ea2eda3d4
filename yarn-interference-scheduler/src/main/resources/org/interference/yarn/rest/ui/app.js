// SPDX-License-Identifier: Apache-2.0
// Which view the address asks for, and showing it: one at a time, the latest asked for wins.

import { Failure, ask } from "./api.js";
import { el, link } from "./dom.js";
import { advice } from "./advice.js";
import { containers } from "./containers.js";
import { decisions } from "./decisions.js";
import { learnSignals } from "./heat.js";
import { model } from "./model.js";
import { nodes } from "./nodes.js";
import { overview } from "./overview.js";
import { pairs } from "./pairs.js";
import { profiles } from "./profiles.js";
import { shadow } from "./shadow.js";
import { sizes } from "./sizes.js";
import { traffic } from "./traffic.js";

// A view is a function of what the address names and asks, which returns a title and elements.
const VIEWS = {
    overview: { label: "Overview", show: overview },
    nodes: { label: "Nodes", show: nodes },
    sizes: { label: "Node sizes", show: sizes },
    containers: { label: "Containers", show: containers },
    profiles: { label: "Profiles", show: profiles },
    model: { label: "Model", show: model },
    decisions: { label: "Decisions", show: decisions },
    shadow: { label: "Shadow report", show: shadow },
    pairs: { label: "Who hurts whom", show: pairs },
    traffic: { label: "Who talks to whom", show: traffic },
    advice: { label: "Sizes and nodes", show: advice },
};

const main = document.getElementById("main");
const status = document.getElementById("status");
const views = document.getElementById("views");
let loading = new AbortController();

function address() {
    const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
    const [view, name] = path.split("/", 2);
    return {
        view: view || "overview",
        name: name ? decoded(name) : undefined,
        query: Object.fromEntries(new URLSearchParams(query)),
    };
}

function decoded(name) {
    try {
        return decodeURIComponent(name);
    } catch (error) {
        return name;
    }
}

async function show() {
    const { view, name, query } = address();
    const known = VIEWS[view];
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    main.setAttribute("aria-busy", "true");
    markCurrent(view);
    say(`Loading ${known?.label ?? "the page"} …`);
    let page;
    try {
        const get = (path, asked = {}) => ask(path, asked, signal);
        if (known !== undefined) {
            await learnSignals(get);
        }
        page = known === undefined ? missing(view) : await known.show({ name, query, get });
        say(`${known?.label ?? "The page"}, as of ${new Date().toLocaleTimeString("sv-SE")}.`);
    } catch (error) {
        if (signal.aborted) {
            return false;
        }
        page = failed(known.label, error);
        say("");
    }
    if (signal.aborted) {
        return false;
    }
    main.replaceChildren(el("h1", { tabindex: "-1" }, page.title), ...page.content);
    main.setAttribute("aria-busy", "false");
    document.title = `${page.title} – Interference on this cluster`;
    return true;
}

async function navigate() {
    if (await show()) {
        window.scrollTo(0, 0);
        main.querySelector("h1").focus();
    }
}

function missing(view) {
    return {
        title: "No such view",
        content: [el("p", {}, `There is no view '${view}'. `, link("Go to the overview", "overview"), ".")],
    };
}

function failed(label, error) {
    if (!(error instanceof Failure)) {
        console.error(error);
    }
    const sentence = error instanceof Failure ? error.message : `This view could not be drawn: ${error.message}.`;
    return {
        title: label,
        content: [
            el(
                "div",
                { class: "failure", role: "alert" },
                el("p", {}, el("strong", {}, sentence)),
                el("p", {}, error.advice ?? "Reload the page; if it stays so, report it with this sentence."),
            ),
            el("button", { type: "button", click: navigate }, "Try again"),
        ],
    };
}

function markCurrent(view) {
    for (const item of views.querySelectorAll("a")) {
        if (item.dataset.view === view) {
            item.setAttribute("aria-current", "page");
        } else {
            item.removeAttribute("aria-current");
        }
    }
}

function say(sentence) {
    status.textContent = sentence;
}

for (const [view, { label }] of Object.entries(VIEWS)) {
    const item = link(label, view);
    item.dataset.view = view;
    views.append(el("li", {}, item));
}
// The address names the view, so the link must not put its own target there.
document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
});
document.getElementById("refresh").addEventListener("click", show);
window.addEventListener("hashchange", navigate);
show();
