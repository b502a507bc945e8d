import { Type } from 'typebox';
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  ReplayWebhookBody,
  Webhook,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookParams,
  WebhooksQuery,
  WebhookWithSecret,
} from '../schemas/webhooks.ts';
import { NoContent, operations } from './operation.ts';

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
