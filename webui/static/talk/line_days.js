// Names of days and times of lines, in the person's time zone.
//
// The server tells which day it is for the person; the browser may stand in another zone. A
// moment comes with the person's own clock in it ("2026-11-21T09:00+01:00"), so its hours are read
// as they stand there.

const DAY = 86400000;
const WEEKDAY = {weekday: 'long'};
const DATE = {day: 'numeric', month: 'long', year: 'numeric'};
const LOCALES = {en: 'en-GB', cn: 'zh-CN'};

function midnight(iso) {
    const [year, month, day] = iso.split('-').map(Number);
    return Date.UTC(year, month - 1, day);
}

// A formatter takes a millisecond to make, and each drawing of the talk names its days.
const formats = {};

function formatOf(language, parts) {
    const make = (it) => new Intl.DateTimeFormat(LOCALES[language], {...it, timeZone: 'UTC'});
    formats[language] ??= {weekday: make(WEEKDAY), date: make({...WEEKDAY, ...DATE})};
    return formats[language][parts];
}

export const daysAgo = (iso, today) => Math.round((midnight(today) - midnight(iso)) / DAY);

export function dayName(iso, today, language, words) {
    const ago = daysAgo(iso, today);
    if (ago === 0) return words.today;
    if (ago === 1) return words.yesterday;
    if (ago > 1 && ago < 7) return formatOf(language, 'weekday').format(midnight(iso));
    return dateName(iso, language);
}

export function dateName(iso, language) {
    return formatOf(language, 'date').format(midnight(iso));
}

// Of a message that the server has not taken yet nothing is known but this machine's own clock.
const isTold = (moment) => Boolean(moment) && !moment.endsWith('Z');
export const dayOf = (moment) => (isTold(moment) ? moment.slice(0, 10) : '');
export const clockOf = (moment) => (isTold(moment) ? moment.slice(11, 16) : '');
