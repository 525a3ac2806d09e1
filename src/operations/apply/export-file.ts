// Writes down what there is, as a file for `latchkey apply` that would change nothing. Everything that a file can say is
// in it, also what has its default, so that applying it later undoes whatever has been changed since.

import { isUserId } from '../../protocol/account/user-id.ts';
import { type BrandImage, brandImages } from '../../protocol/brand/brand.ts';
import type { ImageWriter } from '../../protocol/reading/logo.ts';
import { type SettingName, settingNames } from '../../protocol/settings.ts';
import type { Client, User } from '../../storage/storage.ts';
import { readAllowed } from '../clients/access-list.ts';
import type { ClientKey } from '../clients/client-file.ts';
import { listAllClients } from '../clients/clients.ts';
import type { DescribedGroup } from '../groups/group-file.ts';
import { listAllGroups, listAllMembers } from '../groups/groups.ts';
import type { Services } from '../services.ts';

/** A client that isn't revoked has no such key: a file never restores one. */
type ExportedClient = Readonly<Record<Exclude<ClientKey, 'revoked'>, unknown>> & { readonly revoked?: true };

export async function exportSettings(services: Services, writeImage: ImageWriter) {
  const settings = await services.settings.readFresh();
  const exported: Partial<Record<SettingName | BrandImage, string | number | null>> = {};
  for (const name of settingNames) exported[name] = settings[name];
  for (const name of brandImages) {
    const version = services.settings.images[name];
    const image = version === undefined ? undefined : await services.storage.findBrandImage(name, version);
    exported[name] = image === undefined ? null : writeImage(`brand/${name}`, image);
  }
  return exported;
}

/** By name, so that a file from another store with the same groups has them in the same order. */
export async function exportGroups(services: Services): Promise<Required<DescribedGroup>[]> {
  const groups = await listAllGroups(services);
  const exported = groups.map(async (group) => ({
    name: group.name,
    members: await namesOf(services, await listAllMembers(services, group)),
  }));
  return (await Promise.all(exported)).toSorted((a, b) => compare(a.name, b.name));
}

export async function exportClients(services: Services, writeImage: ImageWriter): Promise<ExportedClient[]> {
  const clients = (await listAllClients(services)).toSorted((a, b) => compare(a.id, b.id));
  const exported: ExportedClient[] = [];
  for (const client of clients) exported.push(await exportClient(services, client, writeImage));
  return exported;
}

async function exportClient(services: Services, client: Client, writeImage: ImageWriter): Promise<ExportedClient> {
  const { id, logoVersion } = client;
  const logo = logoVersion === null ? undefined : await services.storage.findLogo(id, logoVersion);
  const allowed = await readAllowed(services, id);
  return {
    client_id: id,
    name: client.name,
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    scopes: client.scopes,
    public: client.isPublic,
    access: client.access,
    allowed: { people: await namesOf(services, allowed.people), groups: allowed.groups.map(({ name }) => name) },
    second_factor: client.secondFactor,
    upstream: client.upstream,
    logo: logo === undefined ? null : writeImage(`applications/${id}`, logo),
    ...client.links,
    ...(client.revokedAt !== null && { revoked: true }),
  };
}

/** Email addresses, except where one is also the ID of somebody who came from another service. */
async function namesOf({ storage }: Services, people: readonly User[]): Promise<string[]> {
  const holders = await Promise.all(people.map(({ email }) => (isUserId(email) ? storage.findUser(email) : undefined)));
  return people.map(({ id, email }, index) => ((holders[index]?.id ?? id) === id ? email : id));
}

/** In an order that doesn't depend on the language of the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
