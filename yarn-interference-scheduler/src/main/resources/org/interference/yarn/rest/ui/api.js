// SPDX-License-Identifier: Apache-2.0
// Asks the REST interface that this page is served beside, and turns what goes wrong into sentences.

const REST = new URL("../", import.meta.url);

const ADVICE = {
    400: "Correct the filter or the address of this page.",
    403: "Ask the owner of the application, or an administrator of YARN.",
    404: "It may be over and forgotten, or not known yet.",
    429: "Others ask for the same. Wait a few seconds, then try again.",
    503: "Look whether yarn.resourcemanager.scheduler.class names a scheduler of the plugin, and into the ResourceManager's log.",
};

/** What the server would not or could not answer: a sentence that says what is wrong, and one that says what to do. */
export class Failure extends Error {
    constructor(sentence, advice) {
        super(sentence);
        this.advice = advice;
    }
}

/** Returns the answer of a path under /ws/v1/interference; parts of the path that are data are encoded by the caller. */
export async function ask(path, query, signal) {
    const url = new URL(path, REST);
    for (const [name, value] of Object.entries(query)) {
        if (value !== undefined && value !== "") {
            url.searchParams.set(name, value);
        }
    }
    let response;
    try {
        response = await fetch(url, { signal, headers: { Accept: "application/json" } });
    } catch (error) {
        signal.throwIfAborted();
        throw new Failure(
            "The ResourceManager does not answer.",
            "Look whether it runs and whether you reach it. If another one has taken over, open this page there.",
        );
    }
    const answer = await response.json().catch(() => undefined);
    signal.throwIfAborted();
    if (response.status === 401) {
        throw new Failure(
            "You are not signed in to the ResourceManager.",
            "Sign in as for its other pages (with Kerberos: kinit, then a browser that negotiates) and reload this page.",
        );
    }
    if (!response.ok) {
        const sentence = answer?.error ?? `The ResourceManager answered ${response.status}.`;
        throw new Failure(capital(sentence), ADVICE[response.status] ?? "The ResourceManager's log says more.");
    }
    if (answer === undefined) {
        throw new Failure(
            "What came back is not the answer of the ResourceManager, perhaps a page to sign in.",
            "Reload this page.",
        );
    }
    return answer;
}

function capital(sentence) {
    return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
