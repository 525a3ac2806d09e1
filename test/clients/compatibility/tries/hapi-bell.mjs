import Bell from '@hapi/bell';
import Hapi from '@hapi/hapi';

const server = Hapi.server({ port: process.env.PORT, host: 'localhost' });
await server.register(Bell);
server.auth.strategy('latchkey', 'bell', settings);
server.route({
  method: 'GET',
  path: '/callback',
  options: {
    auth: { strategy: 'latchkey', mode: 'try' },
    handler: ({ auth }) => (auth.isAuthenticated ? auth.credentials.profile : String(auth.error)),
  },
});
server.route({ method: 'GET', path: '/sign-in', handler: (_request, h) => h.redirect('/callback') });
await server.start();
