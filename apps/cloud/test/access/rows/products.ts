import { emptyRequest, uniqueName } from '../requests.ts';
import { accessRows } from '../row.ts';

export const PRODUCT_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listProducts                products    200      200      200      200      200      200      403      200      200      200      200      200      200      200      200      403      403      401
getProduct                  products    404      404      200      404      404      404      403      404      404      200      200      200      200      200      404      403      403      401
`,
  {
    listProducts: { request: emptyRequest },
    getProduct: {
      request: async (_target, { cloud, home }) => ({
        params: { id: await cloud.make.product(home, { sku: uniqueName() }) },
      }),
    },
  },
);
