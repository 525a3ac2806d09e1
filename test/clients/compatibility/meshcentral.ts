// MeshCentral with the settings of docs/bridge.md. Its OpenID client verifies ID tokens with keys from the key set, and sends its
// secret as HTTP Basic.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../harness/command.ts';
import { type Place, signInOverBridge } from './over-bridge.ts';

signInOverBridge([
  {
    name: 'meshcentral',
    packages: 'meshcentral',
    paths: { signIn: '/auth-oidc', callback: '/auth-oidc-callback', signOut: '/logout', signedOut: '/login' },
    shows: () => ['Grace Hopper'],
    asksToSignOut: true,
    patience: 240,
    command(place) {
      const data = join(place.folder, 'data');
      mkdirSync(data);
      writeFileSync(join(data, 'config.json'), JSON.stringify(configuration(place)));
      const program = join(place.folder, 'node_modules/meshcentral/meshcentral.js');
      return [
        process.execPath,
        program,
        '--datapath',
        data,
        '--filespath',
        join(place.folder, 'files'),
        '--launch',
        String(process.pid),
      ];
    },
  },
]);

/** The block of the page, and what lets it run here: on a port without TLS, and without calling its timestamp service. */
function configuration({ port, bridge, clientId, clientSecret }: Place): object {
  const page = readFileSync(join(root, 'docs/bridge.md'), 'utf8');
  const [, block = ''] = /^```json file=meshcentral-data\/config\.json\n([\s\S]*?)^```/m.exec(page) ?? [];
  const filledIn = block
    .replaceAll('https://bridge.example.com', bridge)
    .replaceAll('https://mesh.example.com', `http://localhost:${port}`)
    .replaceAll('https%3A%2F%2Fmesh.example.com', encodeURIComponent(`http://localhost:${port}`))
    .replaceAll('CLIENT_ID', clientId)
    .replaceAll('CLIENT_SECRET', clientSecret);
  const settings = { cert: 'localhost', port, redirPort: 0, mpsPort: 0, tlsOffload: '127.0.0.1', exactPorts: true };
  const offline = { WANonly: true, selfUpdate: false, agentTimeStampServer: false, autoBackup: false };
  return { ...(JSON.parse(filledIn) as object), settings: { ...settings, ...offline } };
}
