// SPDX-License-Identifier: Apache-2.0
// Figures as people read them. What is not known is a dash, never zero.

import { el, nothing } from "./dom.js";

const WHOLE = new Intl.NumberFormat("en");
const TWO_PLACES = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const ONE_PLACE = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const BYTES = ["B", "kB", "MB", "GB", "TB"];
// Of all locales the Swedish one writes dates as ISO 8601 does.
const MOMENT = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" });

const known = (format) => (value) => (value === undefined ? nothing() : format(value));

export const whole = known((value) => WHOLE.format(value));
export const decimal = known((value) => TWO_PLACES.format(value));
export const bytes = known((value) => {
    const power = value < 1000 ? 0 : Math.min(BYTES.length - 1, Math.floor(Math.log10(value) / 3));
    return `${ONE_PLACE.format(value / 1000 ** power)} ${BYTES[power]}`;
});
export const seconds = known((value) => `${ONE_PLACE.format(value)} s`);
export const percent = known((value) => `${ONE_PLACE.format(100 * value)} %`);
export const yesNo = known((value) => (value ? "yes" : "no"));
export const moment = known((value) => el("time", { datetime: value }, MOMENT.format(new Date(value))));
export const age = known((milliseconds) => duration(milliseconds / 1000));

export function duration(value) {
    if (value < 100) {
        return seconds(value);
    }
    return value < 6000 ? `${Math.round(value / 60)} min` : `${ONE_PLACE.format(value / 3600)} h`;
}

/** A constant such as PARENT_NO_PROFILE, in words. */
export function words(constant) {
    return constant.toLowerCase().replaceAll("_", " ");
}
