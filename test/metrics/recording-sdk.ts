// An OpenTelemetry SDK as an operator would load it with --import: it appends every span to the file that SPANS_FILE names.

import { appendFileSync } from 'node:fs';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export interface RecordedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

const exporter = {
  export(spans: ReadableSpan[], done: (result: { code: number }) => void) {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      const recorded: RecordedSpan = {
        name: span.name,
        kind: span.kind,
        traceId,
        spanId,
        parentId: span.parentSpanContext?.spanId,
        status: span.status.code,
        attributes: span.attributes,
      };
      appendFileSync(process.env.SPANS_FILE ?? '', `${JSON.stringify(recorded)}\n`);
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
