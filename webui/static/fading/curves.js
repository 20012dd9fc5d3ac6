// Reads the curves of the fading panel at one day, by pointer or by the arrow keys, and says
// in words below them how much is left of each. A day is a step; a page is thirty.

const STEPS = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -30, PageUp: 30};

function leftAt(line, x, low, top) {
    const points = [...line.points];
    const next = points.findIndex((it) => it.x >= x);
    if (next < 0 || (next === 0 && points[0].x > x + 1)) return null;
    const before = points[Math.max(0, next - 1)], after = points[next];
    const part = after.x > before.x ? (x - before.x) / (after.x - before.x) : 1;
    const y = before.y + part * (after.y - before.y);
    return Math.round(100 * (low - y) / (low - top));
}

function readAt(plot, day) {
    const days = JSON.parse(plot.dataset.days);
    const [left, right, top, low] = plot.dataset.edges.split(' ').map(Number);
    const at = Math.min(days.length - 1, Math.max(0, day));
    const x = left + (right - left) * at / Math.max(1, days.length - 1);
    const upright = plot.querySelector('.sf-at');
    for (const [name, value] of [['x1', x], ['x2', x], ['y1', top], ['y2', low]])
        upright.setAttribute(name, value);
    const shares = [];
    for (const line of plot.querySelectorAll('polyline')) {
        const kept = leftAt(line, x, low, top);
        if (kept === null) continue;
        const share = document.createElement('b');
        share.className = line.parentElement.getAttribute('class');
        share.textContent = plot.dataset.share
            .replace('{letter}', line.dataset.letter).replace('{kept}', kept);
        shares.push(share);
    }
    const said = plot.parentElement.querySelector('.sf-readout');
    said.textContent = `${days[at]}: `;
    shares.forEach((share, number) => {
        if (number) said.append(plot.dataset.between);
        said.append(share);
    });
    plot.setAttribute('aria-valuenow', at);
    plot.setAttribute('aria-valuetext', said.textContent);
}

function pointed(event) {
    const plot = event.target.closest?.('.sf-plot');
    if (!plot) return;
    const svg = plot.querySelector('svg');
    const x = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(svg.getScreenCTM().inverse()).x;
    const [left, right] = plot.dataset.edges.split(' ').map(Number);
    const last = Number(plot.getAttribute('aria-valuemax'));
    readAt(plot, Math.round((x - left) / (right - left) * last));
}

document.addEventListener('pointermove', pointed);
document.addEventListener('pointerdown', pointed);
document.addEventListener('keydown', (event) => {
    const plot = event.target.closest?.('.sf-plot');
    if (!plot) return;
    const last = Number(plot.getAttribute('aria-valuemax'));
    const ends = {Home: 0, End: last};
    if (!(event.key in STEPS) && !(event.key in ends)) return;
    event.preventDefault();
    const now = Number(plot.getAttribute('aria-valuenow'));
    readAt(plot, event.key in ends ? ends[event.key] : now + STEPS[event.key]);
});
document.addEventListener('focusin', (event) => {
    const plot = event.target.closest?.('.sf-plot');
    if (plot) readAt(plot, Number(plot.getAttribute('aria-valuenow')));
});
