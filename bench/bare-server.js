// The ceiling: a node:http server that sends bodies of the same size as Latchkey's and does nothing else. It's JavaScript, and doesn't
// import node:http, because Node's compiler for TypeScript and the client behind fetch, which that would load, take 40 MB.

const { createServer } = process.getBuiltinModule('node:http');

const [port, getSize, postSize] = process.argv.slice(2).map(Number);
const getBody = 'x'.repeat(getSize ?? 0);
const postBody = 'x'.repeat(postSize ?? 0);

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': getBody.length }).end(getBody);
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    Buffer.concat(chunks).toString();
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': postBody.length }).end(postBody);
  });
});
// As Latchkey does, so that idle connections last as long.
server.keepAliveTimeout = 72_000;
server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
