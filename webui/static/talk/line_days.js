// Names of days and times of lines, in the person's time zone.
//
// The server tells which day it is for the person; the browser may stand in another zone. A
// moment comes with the person's own clock in it ("2026-11-21T09:00+01:00"), so its hours are read
// as they stand there.

const DAY = 86400000;
const LOCALES = {en: 'en-GB', cn: 'zh-CN'};

function midnight(iso) {
    const [year, month, day] = iso.split('-').map(Number);
    return Date.UTC(year, month - 1, day);
}

function named(iso, language, parts) {
    return new Intl.DateTimeFormat(LOCALES[language], {...parts, timeZone: 'UTC'}).format(midnight(iso));
}

export function dayName(iso, today, language, words) {
    const ago = Math.round((midnight(today) - midnight(iso)) / DAY);
    if (ago === 0) return words.today;
    if (ago === 1) return words.yesterday;
    if (ago > 1 && ago < 7) return named(iso, language, {weekday: 'long'});
    return dateName(iso, language);
}

export function dateName(iso, language) {
    return named(iso, language, {weekday: 'long', day: 'numeric', month: 'long', year: 'numeric'});
}

// Of a message that the server has not taken yet nothing is known but this machine's own clock.
const isTold = (moment) => Boolean(moment) && !moment.endsWith('Z');
export const dayOf = (moment) => (isTold(moment) ? moment.slice(0, 10) : '');
export const clockOf = (moment) => (isTold(moment) ? moment.slice(11, 16) : '');
