// How much memory a Node process really uses: what is left after garbage collection, asked through its inspector. Its
// resident memory also contains garbage, which hides a leak for minutes.

import { once } from 'node:events';

/** In megabytes. The process must have been started with `--inspect` on this port of 127.0.0.1. */
export async function liveHeap(port: number): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  try {
    await once(socket, 'open');
    await call(socket, 'HeapProfiler.collectGarbage');
    const usage = await call(socket, 'Runtime.getHeapUsage');
    return ((usage.usedSize ?? 0) + (usage.backingStorageSize ?? 0)) / 1024 / 1024;
  } finally {
    socket.close();
  }
}

async function call(socket: WebSocket, method: string): Promise<Record<string, number>> {
  socket.send(JSON.stringify({ id: 1, method }));
  const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(10_000) })) as [{ data: string }];
  return (JSON.parse(message.data) as { result: Record<string, number> }).result;
}
