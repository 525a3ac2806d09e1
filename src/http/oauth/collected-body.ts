// Collects a body where it arrives. A stream that is read by events would cost a small request more than its answer does.

import { Readable } from 'node:stream';
import { IncomingMessage } from '../../platform/node-http.ts';
import { bodyLimit } from '../limits.ts';

/** Undefined as soon as the body is too large. */
type Receiver = (body: Uint8Array | undefined) => void;

const emptyBody = new Uint8Array();
const hasEnded = Object.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded')?.get;

/** A request whose body can be collected. It's a stream like any other until it's asked for that. */
export class CollectingMessage extends IncomingMessage {
  #receiver: Receiver | undefined;
  #collects = false;
  /** What has arrived is at its beginning. */
  #body: Uint8Array = emptyBody;
  #length = 0;

  /** Calls `receiver` once; never when the connection breaks. To be called before any part of the body has arrived. */
  collect(receiver: Receiver): void {
    this.#collects = true;
    this.#receiver = receiver;
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (!this.#collects) return super.push(chunk, encoding);
    if (this.#receiver === undefined) return true;
    if (chunk === null)
      this.#finish(this.#length < this.#body.length ? this.#body.subarray(0, this.#length) : this.#body);
    else if (this.#length + chunk.length > bodyLimit) this.#finish(undefined);
    else this.#add(chunk);
    return true;
  }

  /** Nearly every body is one chunk. One that isn't grows by doubling, because it could come byte by byte. */
  #add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#body = chunk;
    else {
      if (length > this.#body.length) {
        const larger = new Uint8Array(Math.min(2 * length, bodyLimit));
        larger.set(this.#body.subarray(0, this.#length));
        this.#body = larger;
      }
      this.#body.set(chunk, this.#length);
    }
    this.#length = length;
  }

  /** Node calls it when the response is sent, to read what is left unread. Nothing of a collected body is left. */
  override resume(): this {
    return this.#collects ? this : super.resume();
  }

  #finish(body: Uint8Array | undefined): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.#body = emptyBody;
    receiver?.(body);
  }

  static {
    // Node asks for it when the response is sent, and lets go of a request that has ended; any other stays in memory, with its
    // headers, until the next one comes. Its types call the getter a field, which no class could replace.
    Object.defineProperty(CollectingMessage.prototype, 'readableEnded', {
      get(this: CollectingMessage) {
        return this.#collects ? this.complete : hasEnded?.call(this);
      },
    });
  }
}
