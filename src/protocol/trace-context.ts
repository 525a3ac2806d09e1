// W3C Trace Context: reads the traceparent header of a request. Anyone can send one, so anything but the exact form is
// ignored, as the specification requires.

export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the span that has caused the request: 16 hexadecimal digits. */
  readonly spanId: string;
  /** Two hexadecimal digits as a number; the lowest bit says that the caller records the trace. */
  readonly flags: number;
}

/** Version 00 ends after the flags; a later one may go on after another dash. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;
const traceIdForm = /^[0-9a-f]{32}$/;
/** No version has a longer one yet. */
const longest = 512;

export function readTraceParent(header: string | readonly string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length > longest) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/** Whether a text could be a trace ID; no request ID looks like one. */
export function isTraceId(text: string): boolean {
  return traceIdForm.test(text);
}
