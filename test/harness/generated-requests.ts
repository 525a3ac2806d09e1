// Requests to the OAuth endpoints as clients, careless ones and attackers write them: parameters in any order, encoding and
// number, bodies of any type and in any pieces. What is generated follows from a seed.

import { seededBytes } from './lockstep.ts';

export type Pairs = readonly (readonly [name: string, value: string])[];

const formType = 'application/x-www-form-urlencoded';
const jsonType = 'application/json';
const oddTypes = [
  `${formType};charset=UTF-8`,
  `${formType}; charset="utf-8"`,
  ` ${formType.toUpperCase()} ; boundary=x`,
  `${formType}; charset=iso-8859-1`,
  `${formType};charset`,
  `${formType}, ${jsonType}`,
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  '',
];
const oddNames = ['__proto__', 'constructor', 'toString', 'x', 'client_id ', 'Client_Id', 'scope[]', 'é', '%', '\0'];
const oddValues = [
  '',
  ' ',
  '%',
  '%zz',
  '%ff',
  '%00',
  '\r\n',
  'é',
  '\xff',
  '漢',
  '"',
  '\\',
  "'",
  '\u2028',
  'x'.repeat(300),
];

export class Generator {
  /** What requests say about their connection; a service that is draining closes it in any case. */
  connection: 'close' | 'keep-alive' = 'close';
  readonly #bytes: (size: number) => Uint8Array;

  constructor(seed: string) {
    this.#bytes = seededBytes(`requests ${seed}`);
  }

  /** A number below the limit. */
  below(limit: number): number {
    return Buffer.from(this.#bytes(6)).readUIntBE(0, 6) % limit;
  }

  /** True once in so many times. */
  onceIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  word(): string {
    return Buffer.from(this.#bytes(32)).toString('base64url');
  }

  shuffled<Item>(items: readonly Item[]): readonly Item[] {
    const places = items.map((item) => ({ item, place: this.below(2 ** 40) }));
    return places.sort((one, other) => one.place - other.place).map(({ item }) => item);
  }

  /** In another order, and now and then with something left out, repeated, changed or added. */
  parameters(pairs: Pairs): Pairs {
    let list = this.shuffled(pairs);
    const at = this.below(list.length + 1);
    const [name, value] = list[at % Math.max(1, list.length)] ?? ['x', 'y'];
    if (this.onceIn(8)) list = list.toSpliced(at, 1);
    if (this.onceIn(12)) list = list.toSpliced(at, 0, [name, this.pick([value, '', 'other'])]);
    if (this.onceIn(8)) list = list.map((pair) => (pair[0] === name ? [name, this.damaged(value)] : pair));
    if (this.onceIn(6)) list = list.toSpliced(at, 0, [this.pick(oddNames), this.pick(oddValues)]);
    return list;
  }

  damaged(value: string): string {
    const at = this.below(value.length + 1);
    return this.pick([
      value.slice(0, at) + this.pick(oddValues) + value.slice(at),
      value.slice(0, at),
      value.toUpperCase(),
      `${value} `,
      this.pick(oddValues),
      this.word(),
    ]);
  }

  /** As a query or a form, in one of the many ways to write it. */
  encoded(pairs: Pairs): string {
    const usual = this.onceIn(2);
    const text = pairs
      .map((pair) => pair.map((part) => (usual ? encodeURIComponent(part) : this.#spelled(part))).join('='))
      .join(this.onceIn(20) ? '&&' : '&');
    return this.onceIn(20) ? this.pick([`&${text}&`, `${text}&x`, `${text}=`, text.replace('=', '%3D'), '']) : text;
  }

  #spelled(text: string): string {
    return [...text]
      .map((character) => {
        if (character === ' ' && this.onceIn(2)) return '+';
        if (/[\w.~-]/.test(character) && !this.onceIn(5)) return character;
        // As it is, now and then: what isn't allowed, or isn't UTF-8, has to be refused the same way.
        if (!/[&=+%#\r\n ]/.test(character) && this.onceIn(20)) return character;
        return [...Buffer.from(character)]
          .map(
            (byte) =>
              `%${this.onceIn(2) ? byte.toString(16).padStart(2, '0') : byte.toString(16).toUpperCase().padStart(2, '0')}`,
          )
          .join('');
      })
      .join('');
  }

  #json(pairs: Pairs): string {
    const members = pairs.map(([name, value]) => {
      const text = this.onceIn(30)
        ? this.pick(['1', 'null', 'true', '{}', '["a"]', '"\\ud800"'])
        : JSON.stringify(value);
      return `${JSON.stringify(name)}:${text}`;
    });
    const text = `{${members.join(this.pick([',', ' ,\r\n']))}}`;
    return this.onceIn(15) ? this.pick([`[${text}]`, text.slice(1), `${text}x`, `\ufeff${text}`]) : text;
  }

  /** A POST of these parameters, on the wire as Latin-1. */
  post(path: string, pairs: Pairs, headers: readonly string[] = []): string {
    const asJson = this.onceIn(5);
    const body = Buffer.from(asJson ? this.#json(pairs) : this.encoded(pairs));
    const damaged = this.onceIn(40) ? Buffer.concat([body, Buffer.from([0xff, 0xfe])]) : body;
    const type = this.onceIn(10) ? this.pick(oddTypes) : asJson ? jsonType : formType;
    const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Connection: ${this.connection}`, ...headers];
    if (type !== '' || this.onceIn(2)) head.push(`Content-Type: ${type}`);
    const chunked = this.onceIn(4);
    head.push(chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${damaged.length}`, '', '');
    return head.join('\r\n') + (chunked ? this.#inChunks(damaged) : damaged.toString('latin1'));
  }

  #inChunks(body: Buffer): string {
    let text = '';
    for (let at = 0; at < body.length; ) {
      const part = body.subarray(at, at + 1 + this.below(this.pick([1, 10, 1000])));
      text += `${part.length.toString(16)}\r\n${part.toString('latin1')}\r\n`;
      at += part.length;
    }
    return `${text}0\r\n${this.onceIn(3) ? 'X-Trailer: client_secret=x\r\n' : ''}\r\n`;
  }

  get(target: string, headers: readonly string[] = [], method = 'GET'): string {
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', `Connection: ${this.connection}`, ...headers];
    return [...lines, '', ''].join('\r\n');
  }
}
