// Collects a body where it arrives. A stream that is read by events would cost a small request more than its answer does.

import { IncomingMessage } from 'node:http';
import { bodyLimit } from '../limits.ts';

/** Undefined as soon as the body is too large. */
type Receiver = (body: Uint8Array | undefined) => void;

const emptyBody = new Uint8Array();

/** A request whose body can be collected. It's a stream like any other until somebody asks for that. */
export class CollectingMessage extends IncomingMessage {
  #receiver: Receiver | undefined;
  #collects = false;
  #body: Uint8Array = emptyBody;

  /** Calls `receiver` once; never when the connection breaks. To be called before any part of the body has arrived. */
  collect(receiver: Receiver): void {
    this.#collects = true;
    this.#receiver = receiver;
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (!this.#collects) return super.push(chunk, encoding);
    if (chunk === null) this.#finish(this.#body);
    if (chunk === null || this.#receiver === undefined) return true;
    this.#body = this.#body.length === 0 ? chunk : Buffer.concat([this.#body, chunk]);
    if (this.#body.length > bodyLimit) this.#finish(undefined);
    return true;
  }

  /** Node calls it when the response is sent, to read what nobody has read. Nothing of a collected body is left. */
  override resume(): this {
    return this.#collects ? this : super.resume();
  }

  #finish(body: Uint8Array | undefined): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.#body = emptyBody;
    receiver?.(body);
  }
}
