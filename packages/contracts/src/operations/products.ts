import { Type } from 'typebox';
import { Product, ProductListQuery, ProductParams } from '../schemas/products.ts';
import { operations } from './operation.ts';

export const productOperations = operations('products', {
  listProducts: {
    route: 'GET /api/v1/products',
    summary: 'Lists the products that are offered to the caller, by name',
    description:
      "Those of the operator's own shop, and of organizations whose customer or employee the caller is. Owners and admins of a seller, and operators, also see drafts and archived ones.",
    requires: ['products:read_all'],
    query: ProductListQuery,
    answers: { 200: Type.Array(Product) },
  },

  getProduct: {
    route: 'GET /api/v1/products/{id}',
    summary: 'Shows a product',
    requires: ['products:read_all'],
    params: ProductParams,
    answers: { 200: Product },
    refusals: [404],
  },
});
