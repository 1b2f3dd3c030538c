// Asks for the brick's address and the camera, and shows what was looked for and what answers.

import { button, element, labelled } from '/assets/elements.js';
import { ask } from '/assets/link.js';
import { robot } from '/assets/shell.js';

const BRICK = 'brick at ';

export class ConnectDialog {
  constructor(dialog) {
    this.dialog = dialog;
    this.address = element('input', { id: 'address', value: 'usb', spellcheck: false });
    this.rig = element('select', { id: 'connect-rig' });
    this.camera = element('input', { id: 'camera', value: '0', spellcheck: false });
    this.found = element('ul', { className: 'found' });
    this.found.ariaLive = 'polite';
    const connect = () => {
      this.dialog.close();
      robot('connect', { rig: this.rig.value, address: this.address.value.trim(), camera: this.camera.value.trim() || null });
    };
    dialog.append(
      element('h2', { id: 'connect-title', textContent: 'Connect your robot' }),
      element('p', { className: 'sec', textContent: 'Switch the brick on; with USB plug it in, with Bluetooth bind it first.' }),
      element('div', { className: 'fields' },
        labelled('Rig', this.rig), labelled('Brick', this.address),
        labelled('Camera (empty: none, or the rig’s sensor)', this.camera)),
      element('div', { className: 'row between' },
        element('span', { className: 'lab', textContent: 'What was looked for' }),
        button('Search again', () => this.#look())),
      this.found,
      element('div', { className: 'row' },
        button('Connect', connect, { symbol: 'plug', primary: true }),
        button('Close', () => dialog.close())));
  }

  open(rigs) {
    if (!this.rig.children.length) {
      this.rig.append(...rigs.map((name) => element('option', { value: name, textContent: name })));
    }
    this.dialog.showModal();
    this.#look();
  }

  async #look() {
    this.#say('Looking at USB, Bluetooth and the cameras …');
    const { error, answer } = await ask('robot/look');
    if (error) this.#say(error);
    else this.found.replaceChildren(...answer.map((finding) => this.#finding(finding)));
  }

  #say(text) {
    this.found.replaceChildren(element('li', { className: 'sec', textContent: text }));
  }

  #finding({ name, ok, detail, remedy }) {
    const isBrick = ok && name.startsWith(BRICK);
    const take = () => { this.address.value = name.slice(BRICK.length); };
    return element('li', {},
      element('i', { className: `dot ${ok ? '' : 'bad'}` }),
      element('div', { className: 'grow' },
        element('b', { textContent: `${name}: ${ok ? 'found' : 'not found'}` }),
        element('p', { className: 'sec', textContent: `${detail} ${remedy}`.trim() })),
      isBrick && button('Use it', take));
  }
}
