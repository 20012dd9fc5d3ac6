// The message box. What is typed after Enter belongs to the next message, because the box is
// emptied within the very key press that sends.

export class MessageBox {
    // `on` has send(words, offRecord), stop(), drafted(words) and offRecord(isOn).
    constructor(on) {
        this.on = on;
        this.root = document.createElement('form');
        this.root.className = 'talk-box';
        this.root.innerHTML = `
            <div id="message"><textarea rows="1" enterkeyhint="send" autocomplete="off"></textarea></div>
            <button type="button" id="stop" class="sf-button" disabled></button>
            <button type="submit" id="send" class="sf-button sf-primary"></button>
            <label id="off-record"><input type="checkbox"><span></span></label>`;
        this.area = this.root.querySelector('textarea');
        this.stop = this.root.querySelector('#stop');
        this.send = this.root.querySelector('#send');
        this.offRecord = this.root.querySelector('input');
        this.area.addEventListener('keydown', (event) => this.key(event));
        this.area.addEventListener('input', () => this.changed());
        this.offRecord.addEventListener('change', () => { this.changed(); this.on.offRecord(this.offRecord.checked); });
        this.root.addEventListener('submit', (event) => { event.preventDefault(); this.submit(); });
        this.stop.addEventListener('click', () => this.on.stop());
    }

    speak(words) {
        this.area.placeholder = words.message_hint;
        this.area.setAttribute('aria-label', words.message);
        this.stop.textContent = words.stop;
        this.send.textContent = words.send;
        this.root.querySelector('#off-record span').textContent = words.off_record;
        this.root.querySelector('#off-record').title = words.off_record_hint;
    }

    get words() { return this.area.value; }

    put(words) {
        this.area.value = words;
        this.changed();
    }

    busy(is) { this.stop.disabled = !is; }

    key(event) {
        // Enter also ends a word that an input method composes; that is not the end of a message.
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
        event.preventDefault();
        this.submit();
    }

    submit() {
        const words = this.area.value;
        if (!words.trim()) return;
        if (this.on.send(words.trim(), this.offRecord.checked)) this.put('');
        this.area.focus();
    }

    changed() {
        this.area.style.height = 'auto';
        this.area.style.height = `${this.area.scrollHeight}px`;
        this.on.drafted(this.offRecord.checked ? '' : this.area.value);
    }
}
