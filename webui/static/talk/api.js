// Requests to the routes below ./talk/: JSON in, JSON out, and errors that say what they are.

export class Refused extends Error {
    // The server answered, and said no: `status` is HTTP's, the message is a sentence for people.
    constructor(status, key, message) {
        super(message);
        this.status = status;
        this.key = key;
    }
}

export class Unreachable extends Error {}

export function address(path, params = {}) {
    const url = new URL(`talk/${path}`, document.baseURI);
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return url;
}

async function answerOf(url, options) {
    let response;
    try {
        response = await fetch(url, {cache: 'no-store', credentials: 'same-origin', ...options});
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        throw new Unreachable(error.message);
    }
    if (response.ok) return response;
    // A proxy in front of a server that is being started anew answers in its stead.
    if ([502, 503, 504].includes(response.status)) throw new Unreachable(`${response.status}`);
    let told = {};
    try { told = await response.json(); } catch { /* the guard answers with plain text */ }
    throw new Refused(response.status, told.error || '', told.message || '');
}

async function json(url, options) {
    const response = await answerOf(url, options);
    try {
        return await response.json();
    } catch (error) {
        throw new Unreachable(error.message);
    }
}

export function get(path, params) {
    return json(address(path, params), {});
}

export function post(path, body) {
    return json(address(path), {
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: JSON.stringify(body),
    });
}

export function stream(path, params, headers, signal) {
    return answerOf(address(path, params), {headers, signal});
}

export function drawKey() {
    // crypto.randomUUID exists on https and on this machine alone.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
