// Events in the Open Cybersecurity Schema Framework, which many SIEMs read.

import { isIP } from 'node:net';
import type { NamedEvent } from '../../../operations/downloads/list-download.ts';
import type { EventRecord } from '../../../protocol/event.ts';
import { failureKinds, kindsOfEvents } from '../../../protocol/events/kinds.ts';
import {
  type Classification,
  type ClassName,
  categories,
  classes,
  schemaVersion,
} from '../../../protocol/events/ocsf-classes.ts';

const product = 'Latchkey';
/** The address that events of the command line have. */
const commandLine = 'command line';

/** The message is a sentence about the event, and the version that of this software. */
export function toOcsf(named: NamedEvent, message: string, version: string) {
  const { event } = named;
  const [className, activityName] = classify(event);
  const { uid: classUid, name, activities } = classes[className];
  const activityId = new Map<string, number>(Object.entries(activities)).get(activityName) ?? 0;
  const categoryUid = Math.floor(classUid / 1000);
  const failed = failureKinds.includes(event.kind) || event.kind === 'authorization_denied';
  const severity = severityOf(event, failed);
  const { reason, reasons = reason } = event.detail ?? {};
  const unmapped = { ...event.detail, ...(event.traceId !== undefined && { trace_id: event.traceId }) };
  return {
    category_uid: categoryUid,
    category_name: categories[categoryUid],
    class_uid: classUid,
    class_name: name,
    activity_id: activityId,
    activity_name: activityName,
    type_uid: classUid * 100 + activityId,
    type_name: `${name}: ${activityName}`,
    severity_id: severities[severity],
    severity,
    status_id: failed ? 2 : 1,
    status: failed ? 'Failure' : 'Success',
    ...(reasons !== undefined && { status_detail: [reasons].flat().join(', ') }),
    time: event.at,
    timezone_offset: 0,
    message,
    metadata: {
      version: schemaVersion,
      product: { name: product, vendor_name: product, version },
      uid: event.id,
      event_code: event.kind,
      ...(event.requestId !== '' && { correlation_uid: event.requestId }),
    },
    ...partsOf(className, named),
    ...(Object.keys(unmapped).length > 0 && { unmapped }),
  };
}

function classify({ kind, detail }: EventRecord): Classification {
  const isOfGroup = detail?.group !== undefined;
  // Applications are opened to people and to groups, and owned by them, which are different classes.
  if ((kind === 'access_allowed' || kind === 'owner_added') && isOfGroup)
    return ['group_management', 'Assign Privileges'];
  if ((kind === 'access_disallowed' || kind === 'access_expired' || kind === 'owner_removed') && isOfGroup)
    return ['group_management', 'Revoke Privileges'];
  return kindsOfEvents[kind].ocsf;
}

const severities = { Informational: 1, Low: 2, Medium: 3, High: 4 } as const;

function severityOf({ kind, detail }: EventRecord, failed: boolean): keyof typeof severities {
  if (detail?.reason === 'throttled') return 'Medium';
  return kindsOfEvents[kind].severity ?? (failed ? 'Low' : 'Informational');
}

/** What each class has besides the attributes of all of them. */
function partsOf(className: ClassName, named: NamedEvent): object {
  const { event } = named;
  const actor = actorOf(named);
  const source = sourceOf(event);
  const common = { ...(actor && { actor }), ...(source && { src_endpoint: source }) };
  const application = applicationOf(named);
  switch (className) {
    case 'account_change':
      return { ...common, user: userOf(named) };
    case 'authentication':
      return { ...common, ...authentication(named) };
    case 'entity_management':
      return { ...common, entity: entityOf(named) };
    case 'user_access':
      return {
        ...common,
        user: userOf(named),
        privileges: [application === undefined ? 'admin' : 'sign_in'],
        ...(application && { resources: [application] }),
      };
    case 'group_management':
      return {
        ...common,
        group: { name: String(event.detail?.group ?? 'unknown') },
        ...(event.userId !== undefined && { user: userOf(named) }),
        ...(application && { privileges: ['sign_in'], resource: application }),
      };
    case 'api_activity':
      return {
        actor: actor ?? { app_name: product },
        src_endpoint: source ?? { name: product },
        api: { operation: event.kind },
        ...(application && { resources: [application] }),
      };
    case 'application_error':
      return typeof event.detail?.count === 'number' ? { count: event.detail.count } : {};
  }
}

function authentication(named: NamedEvent) {
  const { event } = named;
  const application = applicationOf(named);
  const isClient = event.kind === 'client_authentication_failed';
  const usesOAuth = isClient || event.kind === 'approved' || event.kind === 'access_refused';
  const method = String(event.detail?.method ?? '');
  return {
    user: isClient ? clientAsUser(named) : userOf(named),
    // A person signs in to an application, or to the service itself.
    service:
      application === undefined || isClient ? { name: product } : { name: application.name, uid: application.uid },
    ...(usesOAuth && { auth_protocol_id: 6, auth_protocol: 'OAUTH 2.0' }),
    ...(event.kind === 'signed_in' && { is_mfa: method.includes('_and_') || method === 'passkey' }),
    ...(event.kind === 'session_raised' && { is_mfa: true }),
    is_remote: true,
  };
}

/** The person that the event is about; unknown if they tried an email address without an account. */
function userOf({ event, email }: NamedEvent) {
  const { email: invited } = event.detail ?? {};
  const address = email ?? (typeof invited === 'string' ? invited : undefined);
  return {
    ...(event.userId !== undefined && { uid: event.userId }),
    name: address ?? event.userId ?? 'unknown',
    ...(address !== undefined && { email_addr: address }),
  };
}

function clientAsUser({ event, application }: NamedEvent) {
  const { requested_client: requested } = event.detail ?? {};
  const name = application ?? event.clientId ?? (typeof requested === 'string' ? requested : 'unknown');
  return { ...(event.clientId !== undefined && { uid: event.clientId }), name, type_id: 3 };
}

function applicationOf({ event, application }: NamedEvent) {
  const { clientId } = event;
  return clientId === undefined ? undefined : { uid: clientId, name: application ?? clientId, type: 'application' };
}

/** What events of these kinds are about: the detail with its ID, its type, and its name if nothing else is known. */
const entities = [
  { of: 'api_key_', detail: 'key', type: 'API key', standard: 'API key' },
  { of: 'sign_up_link_', detail: 'link', type: 'sign-up link', standard: 'Sign-up link' },
  { of: 'webhook_', detail: 'webhook', type: 'webhook', standard: 'Webhook' },
  { of: 'attribute_', detail: 'attribute', type: 'attribute', standard: 'Attribute' },
  { of: 'upstream_', detail: 'upstream', type: 'identity provider', standard: 'Identity provider' },
];

function entityOf(named: NamedEvent) {
  const { event } = named;
  const application = applicationOf(named);
  if (application !== undefined) return application;
  if (event.kind === 'set_up_link_made') return { name: 'Setup link', type: 'link' };
  if (event.kind === 'service_keys_retired') return { name: 'Service keys', type: 'keys' };
  const entity = entities.find(({ of }) => event.kind.startsWith(of));
  if (entity === undefined) return { name: 'Settings', type: 'settings' };
  const { detail, type, standard } = entity;
  const text = (name: string) => (typeof event.detail?.[name] === 'string' ? event.detail[name] : undefined);
  const uid = text(detail);
  const name = (detail === 'key' ? text('name') : undefined) ?? uid ?? standard;
  return { ...(uid !== undefined && { uid }), name, type };
}

/** Who did it: an administrator, a program with an API key, a directory, the command line, or the person themselves. */
function actorOf({ event, email, application, actor }: NamedEvent) {
  if (event.actor?.kind === 'administrator') {
    const { id } = event.actor;
    return { user: { uid: id, name: actor ?? id, ...(actor !== undefined && { email_addr: actor }), type_id: 2 } };
  }
  const program = event.actor?.kind === 'scim_token' ? 'SCIM' : 'API key';
  if (event.actor !== undefined) return { app_uid: event.actor.id, app_name: actor ?? program };
  if (event.address === commandLine) return { app_name: commandLine };
  const { userId, clientId } = event;
  if (userId === undefined && clientId === undefined) return undefined;
  return {
    ...(userId !== undefined && { user: { uid: userId, name: email ?? userId } }),
    ...(clientId !== undefined && { app_uid: clientId, app_name: application ?? clientId }),
  };
}

function sourceOf({ address }: EventRecord) {
  if (address === '') return undefined;
  return isIP(address) === 0 ? { name: address } : { ip: address };
}
