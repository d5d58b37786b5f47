// Subscriptions of 2026-07-28: acknowledged first, with the id of the request, for nothing that was not asked for.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { META } from '../conversation.ts';
import { codeOf, isNotification, isObject, type JsonObject, objectOf, type Received } from '../message.ts';
import { type Check, fail, pass, skip, TRANSPORTS, type Verdict } from '../model.ts';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

async function acknowledgedFirst(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  const filter = filterFor(conversation.capabilities);
  if (Object.keys(filter).length === 0) return skip('The server declares nothing to subscribe to');
  const id = conversation.nextId();
  const belongs = (message: Received) =>
    subscriptionOf(message) === id || isNotification(message, ACKNOWLEDGED) || objectOf(message)?.id === id;
  const exchange = await conversation.request(
    'subscriptions/listen',
    { notifications: filter },
    { id, until: belongs },
  );
  if (conversation.link.inbox !== null)
    await conversation.notify('notifications/cancelled', { requestId: id });
  const first = exchange.messages.find(belongs);
  if (first === undefined)
    return fail(`subscriptions/listen: ${exchange.silence ?? 'nothing came'}`, exchange);
  if (codeOf(first) !== null) return fail(`subscriptions/listen got the error ${codeOf(first)}`, exchange);
  if (!isNotification(first, ACKNOWLEDGED)) return fail('The first message is not the acknowledgment', first);
  if (subscriptionOf(first) !== id)
    return fail('The acknowledgment does not carry the id of the request as its subscriptionId', first);
  const agreed = (objectOf(first)!.params as JsonObject).notifications;
  const extra = isObject(agreed) ? Object.keys(agreed).find((key) => !Object.hasOwn(filter, key)) : undefined;
  return extra === undefined
    ? pass
    : fail(`The acknowledgment has "${extra}", which was not asked for`, first);
}

function filterFor(capabilities: JsonObject): JsonObject {
  const changes = (name: string) => isObject(capabilities[name]) && capabilities[name].listChanged === true;
  return {
    ...(changes('tools') ? { toolsListChanged: true } : {}),
    ...(changes('prompts') ? { promptsListChanged: true } : {}),
    ...(changes('resources') ? { resourcesListChanged: true } : {}),
  };
}

function subscriptionOf(message: Received): unknown {
  const params = objectOf(message)?.params;
  const meta = isObject(params) ? params._meta : undefined;
  return isObject(meta) ? meta[`${META}subscriptionId`] : undefined;
}

export const subscriptionChecks: readonly Check[] = [
  {
    id: 'F20',
    title: 'A subscription is acknowledged first, with its id',
    level: 'must',
    severity: 'high',
    clause: clauses.subscriptions,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy:
      'Send notifications/subscriptions/acknowledged before anything else on a subscription, with subscriptionId in _meta',
    run: acknowledgedFirst,
  },
];
