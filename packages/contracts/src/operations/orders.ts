import { Type } from 'typebox';
import {
  BuyerOrder,
  MarkPaidBody,
  Order,
  OrderActivationCode,
  OrderCheckout,
  OrderListQuery,
  OrderParams,
  PlaceOrderBody,
} from '../schemas/orders.ts';
import { PageQuery } from '../schemas/page.ts';
import { operations } from './operation.ts';

export const orderOperations = operations('orders', {
  listOrders: {
    route: 'GET /api/v1/orders',
    summary: 'Lists orders, the newest first',
    description:
      "The caller's own; owners and admins of a seller see all of its orders, and operators those of everyone.",
    requires: ['orders:read_all'],
    query: OrderListQuery,
    answers: { 200: Type.Array(Order) },
  },

  getOrder: {
    route: 'GET /api/v1/orders/{id}',
    summary: 'Shows an order',
    requires: ['orders:read_all'],
    params: OrderParams,
    answers: { 200: Order },
    refusals: [404],
  },

  markOrderPaid: {
    route: 'POST /api/v1/orders/{id}/mark_paid',
    summary: 'Records that all that is still to be paid was paid',
    description:
      'Paid licences are delivered at once. An order that is paid already is answered unchanged for the same reference or none, and refused for another.',
    requires: ['orders:write_all'],
    takesIdempotencyKey: true,
    params: OrderParams,
    body: MarkPaidBody,
    isBodyOptional: true,
    answers: { 200: Order },
    refusals: [403, 404, 422],
  },

  listOwnOrders: {
    route: 'GET /api/v1/user/orders',
    summary: 'Lists the orders of the account, the newest first',
    requires: 'own_token',
    query: PageQuery,
    answers: { 200: Type.Array(BuyerOrder) },
  },

  placeOrder: {
    route: 'POST /api/v1/user/orders',
    summary: 'Orders products',
    requires: 'own_token',
    takesIdempotencyKey: true,
    body: PlaceOrderBody,
    answers: { 201: BuyerOrder },
    refusals: [422, 429],
  },

  getOwnOrder: {
    route: 'GET /api/v1/user/orders/{id}',
    summary: 'Shows an order of the account',
    requires: 'own_token',
    params: OrderParams,
    answers: { 200: BuyerOrder },
    refusals: [404],
  },

  cancelOwnOrder: {
    route: 'POST /api/v1/user/orders/{id}/cancel',
    summary: 'Cancels an order that is not paid',
    requires: 'own_token',
    params: OrderParams,
    answers: { 200: BuyerOrder },
    refusals: [404, 422],
  },

  payOrder: {
    route: 'POST /api/v1/user/orders/{id}/pay',
    summary: 'Answers the page of the payment provider on which the order is paid',
    description:
      'The page is the same until it expires, however often it is asked for. What the provider reports decides whether the order is paid, not the return of the buyer.',
    requires: 'own_token',
    params: OrderParams,
    answers: { 200: OrderCheckout },
    refusals: [404, 422, 429, 503],
  },

  createOrderActivationCode: {
    route: 'POST /api/v1/user/orders/{id}/activation_code',
    summary: 'Makes the activation code of the paid licences, and shows it, this once',
    description:
      'For licences that name no device. The code made before ends, and this one activates as many devices as that one had left.',
    requires: 'own_token',
    params: OrderParams,
    answers: { 201: OrderActivationCode },
    refusals: [404, 422],
  },
});
