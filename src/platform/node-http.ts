// node:http without an import statement. An import reads every export of a module of Node's, and one of those of node:http is
// WebSocket, which loads the client behind `fetch`: 15 MB and 50 ms that most processes never need.

export const { createServer, IncomingMessage, request } = process.getBuiltinModule('node:http');
