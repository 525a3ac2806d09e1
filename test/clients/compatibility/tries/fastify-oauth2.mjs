import cookie from '@fastify/cookie';
import oauth2 from '@fastify/oauth2';
import fastify from 'fastify';

const app = fastify();
app.register(cookie);
app.register(oauth2.default ?? oauth2, settings);
app.get('/callback', async (request) => {
  const { token } = await app.latchkey.getAccessTokenFromAuthorizationCodeFlow(request);
  return app.latchkey.userinfo(token.access_token);
});
app.setErrorHandler((error, _request, reply) => reply.code(500).send(String(error.data?.payload?.error ?? error)));
await app.listen({ port: process.env.PORT });
