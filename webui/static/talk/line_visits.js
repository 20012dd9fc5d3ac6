// Which line this browser showed last, so that what came since can be marked as new.
//
// An id of a line says a day and nothing of what was said; it is kept by person and companion.

const PREFIX = 'sf-seen:';

export function lastSeen(person, companion) {
    try {
        return JSON.parse(localStorage.getItem(`${PREFIX}${companion}:${person}`)) || null;
    } catch {
        return null;
    }
}

export function keepSeen(person, companion, line) {
    try {
        const seen = JSON.stringify({id: line.id, answered: Boolean(line.response)});
        localStorage.setItem(`${PREFIX}${companion}:${person}`, seen);
    } catch { /* a browser without storage marks nothing as new */ }
}

export function firstNew(lines, seen) {
    // The id of the first line that came since; the line itself where only its answer did.
    if (!seen) return '';
    const at = lines.findIndex((line) => line.id === seen.id);
    if (at < 0) return '';
    if (!seen.answered && lines[at].response) return lines[at].id;
    return at + 1 < lines.length ? lines[at + 1].id : '';
}
