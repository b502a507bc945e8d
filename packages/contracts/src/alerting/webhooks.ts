import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { DateTime, Id, MAX_ID, nullable } from '../common/schemas.ts';
import { PlainName } from '../text/plain-text.ts';

/** Webhooks that an account or an organization may have. */
export const MAX_WEBHOOKS = 10;

/** How long a webhook is tried before it is switched off. */
export const WEBHOOK_RETRY_DAYS = 3;

/** How long the secret before the newest one signs as well, in hours. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;

export const WEBHOOK_STATES = ['active', 'failing', 'off', 'gave_up', 'gone', 'suspended'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export const WEBHOOK_FAILURES = [
  'not_public',
  'timeout',
  'certificate',
  'connection',
  'refused',
  'secret',
] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];

const EventTypePattern = '^[a-z_]{1,40}(?:\\.[a-z_]{1,40})?$';

const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'https, with a host name that leads to the public internet',
});

const WebhookTypes = Type.Array(Type.String({ pattern: EventTypePattern }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Types of events, or their first parts such as alert; none: every type',
});

const fields = {
  id: Type.Integer(),
  name: Type.String(),
  url: Type.String(),
  types: Type.Array(Type.String(), { description: 'None: every type' }),
  organization_id: nullable(Type.Integer({ description: 'Null for events of the account itself' })),
  limited_to_organization_id: nullable(
    Type.Integer({
      description:
        'Of an account: the organization of whose sites alone it sends events, as the session or token that made it belongs to it',
    }),
  ),
  state: Type.Enum([...WEBHOOK_STATES], {
    description: `failing: the receiver refuses, and is tried again; gave_up: it refused for ${WEBHOOK_RETRY_DAYS} days; gone: it answered 410; suspended: its author lost the right to it, until a manager keeps it`,
  }),
  failing_since: nullable(DateTime),
  retry_at: nullable(Type.String({ format: 'date-time', description: 'The next try at a failing receiver' })),
  last_delivered_at: nullable(DateTime),
  created_at: DateTime,
};

export const Webhook = Type.Object(fields);
export type Webhook = Static<typeof Webhook>;

export const WebhookWithSecret = Type.Object({
  ...fields,
  secret: Type.String({ description: 'Signs messages (Standard Webhooks); shown this once' }),
});
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

const OrganizationId = Type.Integer({
  minimum: 1,
  maximum: MAX_ID,
  description:
    'The organization whose events it sends; those of the account when left out, within the organization of the session or token',
});

export const WebhooksQuery = Type.Object({ organization_id: Type.Optional(OrganizationId) });
export type WebhooksQuery = Static<typeof WebhooksQuery>;

const Name = PlainName({ maxLength: 100, description: 'What people call it' });

export const CreateWebhookBody = Type.Object({
  name: Name,
  url: WebhookUrl,
  types: Type.Optional(WebhookTypes),
  organization_id: Type.Optional(nullable(OrganizationId)),
});
export type CreateWebhookBody = Static<typeof CreateWebhookBody>;

/** Omitted fields stay unchanged. */
export const ChangeWebhookBody = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(WebhookUrl),
    types: Type.Optional(WebhookTypes),
    enabled: Type.Optional(
      Type.Boolean({ description: 'One that is switched on again goes on where it stopped' }),
    ),
  },
  { additionalProperties: false },
);
export type ChangeWebhookBody = Static<typeof ChangeWebhookBody>;

export const ReplayWebhookBody = Type.Object({
  since: Type.String({ format: 'date-time', description: 'Events from then on are sent again, in order' }),
});
export type ReplayWebhookBody = Static<typeof ReplayWebhookBody>;

export const WebhookParams = Type.Object({ id: Id });

export const WebhookDelivery = Type.Object({
  at: DateTime,
  event_id: Type.String({ description: 'The header webhook-id' }),
  event_type: Type.String(),
  status: nullable(Type.Integer({ description: 'Of the answer; null when there was none' })),
  outcome: Type.Enum(['delivered', 'retried', 'skipped'], {
    description: 'retried: sent again later; skipped: the receiver refused this event alone, several times',
  }),
  failure: nullable(
    Type.Enum([...WEBHOOK_FAILURES], {
      description:
        'not_public: the host has no address on the public internet; refused: the status is no success; secret: the service cannot read the signing secret, and a new one mends it; null without an error, and of messages that were sent before this field existed',
    }),
  ),
  error: nullable(
    Type.String({ description: 'In English, with the code of the connection where there is one' }),
  ),
  duration_ms: Type.Integer(),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveriesQuery = PageQuery;

export const webhookOperations = operations('webhooks', {
  listWebhooks: {
    route: 'GET /api/v1/webhooks',
    summary: 'The webhooks of the account, or of an organization',
    requires: ['sites:read_all'],
    query: WebhooksQuery,
    answers: { 200: Type.Array(Webhook) },
    refusals: [404],
  },

  createWebhook: {
    route: 'POST /api/v1/webhooks',
    summary: 'Makes a webhook, which sends events from now on, and shows its secret, this once',
    description:
      'Events are those that `GET /api/v1/events` answers, or for an organization `GET /api/v1/organizations/{id}/events`, each posted as JSON in their order, with the signature of Standard Webhooks in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.',
    requires: ['sites:write_all'],
    body: CreateWebhookBody,
    invalidFields: 422,
    answers: { 201: WebhookWithSecret },
    refusals: [404],
  },

  getWebhook: {
    route: 'GET /api/v1/webhooks/{id}',
    summary: 'One webhook',
    requires: ['sites:read_all'],
    params: WebhookParams,
    answers: { 200: Webhook },
    refusals: [404],
  },

  updateWebhook: {
    route: 'PATCH /api/v1/webhooks/{id}',
    summary: 'Changes a webhook, switches it off, or on again',
    requires: ['sites:write_all'],
    params: WebhookParams,
    body: ChangeWebhookBody,
    invalidFields: 422,
    answers: { 200: Webhook },
    refusals: [404],
  },

  deleteWebhook: {
    route: 'DELETE /api/v1/webhooks/{id}',
    summary: 'Deletes a webhook',
    requires: ['sites:write_all'],
    params: WebhookParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  replaceWebhookSecret: {
    route: 'POST /api/v1/webhooks/{id}/secret',
    summary: 'Gives a webhook another secret and shows it, this once; for a day the old one signs as well',
    requires: ['sites:write_all'],
    params: WebhookParams,
    answers: { 200: WebhookWithSecret },
    refusals: [404],
  },

  testWebhook: {
    route: 'POST /api/v1/webhooks/{id}/test',
    summary: 'Sends a message of the type test, and answers what came of it',
    requires: ['sites:write_all'],
    params: WebhookParams,
    answers: { 200: WebhookDelivery },
    refusals: [404],
  },

  replayWebhook: {
    route: 'POST /api/v1/webhooks/{id}/replay',
    summary: 'Sends the events since a time again',
    requires: ['sites:write_all'],
    params: WebhookParams,
    body: ReplayWebhookBody,
    invalidFields: 422,
    answers: { 200: Webhook },
    refusals: [404],
  },

  listWebhookDeliveries: {
    route: 'GET /api/v1/webhooks/{id}/deliveries',
    summary: 'The newest messages of a webhook, and what came of them',
    requires: ['sites:read_all'],
    params: WebhookParams,
    query: WebhookDeliveriesQuery,
    answers: { 200: Type.Array(WebhookDelivery) },
    refusals: [404],
  },
});
