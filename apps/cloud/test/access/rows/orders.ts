import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, uniqueName } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

/** An order of another customer from home. */
const sold = async (_target: Target, { cloud, home }: AccessFixture): Promise<AccessRequest> => {
  const { id: buyer } = await cloud.make.user();
  return { params: { id: await cloud.make.order(home, buyer) } };
};

/** An order of the owner from home. */
const bought = async (_target: Target, { cloud, home, owner }: AccessFixture): Promise<AccessRequest> => ({
  params: { id: await cloud.make.order(home, owner.id) },
});

export const ORDER_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listOrders                 orders       200      200      200      200      200      200      403      200      200      200      200      200      200      200      200      403      403      401
getOrder                   orders       404      404      404      404      404      404      403      404      404      404      200      200      200      200      404      403      403      401
getOrderOfBuyer            orders       404      404      404      404      404      200      403      200      404      404      200      200      200      200      404      403      403      401
markOrderPaid              payments     404      404      404      404      404      404      403      404      404      404      200      200      200      200      404      403      403      401
markOwnOrderPaid           payments     404      404      404      404      404      403      403      403      404      404      200      200      200      200      404      403      403      401
listOwnOrders              any          200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
placeOrder                 any          201      422      422      201      201      201      201      422      422      422      422      422      201      201      422      403      403      401
getOwnOrder                any          404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
cancelOwnOrder             any          404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
payOrder                   any          404      404      404      404      404      422      422      422      404      404      404      404      404      404      404      403      403      401
createOrderActivationCode  any          404      404      404      404      404      201      201      201      404      404      404      404      404      404      404      403      403      401
`,
  {
    listOrders: { request: emptyRequest },
    getOrder: { request: sold },
    getOrderOfBuyer: { of: 'getOrder', request: bought },
    markOrderPaid: { request: sold },
    markOwnOrderPaid: { of: 'markOrderPaid', request: bought },
    listOwnOrders: { request: emptyRequest },
    // From the operator's own shop, which is outside every organization.
    placeOrder: {
      request: async (_target, { cloud }) => {
        const sku = uniqueName();
        await cloud.make.product(null, { sku, kind: 'service' });
        return { body: { items: [{ sku }], currency: 'USD' } };
      },
    },
    getOwnOrder: { request: bought },
    cancelOwnOrder: { request: bought },
    // Orders of organizations are not paid online.
    payOrder: { request: bought },
    createOrderActivationCode: {
      request: async (_target, { cloud, home, owner }) => ({
        params: { id: await cloud.make.order(home, owner.id, { isPaid: true }) },
      }),
    },
  },
);
