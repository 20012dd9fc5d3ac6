// Copies words. Browsers offer navigator.clipboard on https and on this machine alone, so on a
// phone in the same network the older way is taken.

export async function copyWords(words) {
    if (navigator.clipboard) {
        await navigator.clipboard.writeText(words);
        return;
    }
    const focused = document.activeElement;
    const area = document.createElement('textarea');
    area.value = words;
    area.className = 'sf-unseen';
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    if (focused) focused.focus();
}
