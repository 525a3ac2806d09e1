// Which IP addresses webhooks reach.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookAddresses } from '../../../src/platform/webhooks/addresses.ts';
import { webhookSender } from '../../../src/platform/webhooks/sender.ts';

const reachable = ['1.1.1.1', '93.184.215.14', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'];

const refused = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.8.9.10',
  '169.254.169.254',
  '169.254.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.170',
  '192.0.2.1',
  '168.63.129.16',
  '100.100.100.200',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  // Forms that lead to an IPv4 address: mapped, compatible, translated, NAT64, 6to4 and Teredo.
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001:0:7f00:1::',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  'not an address',
  '',
];

test('only public IP addresses are allowed', () => {
  const addresses = webhookAddresses([]);
  for (const address of reachable) assert.equal(addresses.isReachable(address), true, address);
  for (const address of refused) assert.equal(addresses.isReachable(address), false, address);
});

test('a network that the operator lists is allowed, in any notation', () => {
  const addresses = webhookAddresses(['10.20.0.0/16', '192.168.7.7', 'fd00:20::/64']);
  for (const address of ['10.20.1.2', '::ffff:10.20.1.2', '192.168.7.7', 'fd00:20::5', ...reachable]) {
    assert.equal(addresses.isReachable(address), true, address);
  }
  for (const address of ['10.21.0.1', '192.168.7.8', 'fd00:21::5', '::1', '169.254.169.254']) {
    assert.equal(addresses.isReachable(address), false, address);
  }
});

/** The notations of 127.0.0.1 and 169.254.169.254 that URLs accept. */
const notations = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '0x7f.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '[fd00:ec2::254]',
  '[64:ff9b::a9fe:a9fe]',
];

test('a URL with an internal IP address is refused up front, in any notation', async () => {
  const sender = webhookSender({ networks: [] });
  for (const host of notations) {
    const url = `https://${host}/`;
    assert.match(sender.urlProblem(new URL(url)) ?? '', /isn't a public IP address/, host);
    const sent = await sender.send(url, {}, '{}');
    assert.match(sent.kind === 'failed' ? sent.error : 'sent', /isn't a public IP address/, host);
  }
});
