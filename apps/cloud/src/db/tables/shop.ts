import type {
  Address,
  Money,
  OrderState,
  PaymentMethod,
  PaymentState,
  ProductKind,
  ProductState,
  ShopTerms,
  TaxCategory,
  TaxLine,
} from '@heliograph/contracts';
import type { Generated, JSONColumnType } from 'kysely';
import type { Amount, AmountFromZero, Id, SearchColumn } from './column-types.ts';

export interface ShopTables {
  products: ProductTable;
  shop_terms: ShopTermsTable;
  order_numbers: OrderNumberTable;
  orders: OrderTable;
  order_items: OrderItemTable;
  order_payments: OrderPaymentTable;
  order_shipments: OrderShipmentTable;
  payment_checkouts: PaymentCheckoutTable;
  payment_events: PaymentEventTable;
}

interface ProductTable {
  id: Generated<number>;
  organization_id: number | null;
  sku: string;
  name: string;
  description: string | null;
  kind: ProductKind;
  state: ProductState;
  prices: JSONColumnType<Money[]>;
  tax_category: TaxCategory;
  licence: JSONColumnType<{ devices: number; months: number | null }, string | null, string | null> | null;
  stock: number | null;
  url: string | null;
  image_url: string | null;
  created_at: Date;
  updated_at: Date;
}

interface ShopTermsTable {
  seller: number;
  terms: JSONColumnType<ShopTerms>;
}

interface OrderNumberTable {
  seller: number;
  last: number;
}

interface OrderTable {
  id: Id;
  organization_id: number | null;
  number: string;
  user_id: number | null;
  email: string;
  first_name: string;
  last_name: string;
  state: Generated<OrderState>;
  payment_state: Generated<PaymentState>;
  currency: string;
  subtotal: Amount;
  shipping: Amount;
  tax: Amount;
  total: Amount;
  paid: AmountFromZero;
  refunded: AmountFromZero;
  prices_include_tax: boolean;
  tax_lines: JSONColumnType<TaxLine[]>;
  billing_address: JSONColumnType<Address, string | null, string | null> | null;
  shipping_address: JSONColumnType<Address, string | null, string | null> | null;
  note: string | null;
  activation_code_id: number | null;
  activation_code_at: Date | null;
  created_at: Date;
  updated_at: Date;
  paid_at: Date | null;
  completed_at: Date | null;
  cancelled_at: Date | null;
  part_words: Generated<string>;
  search: SearchColumn;
}

interface OrderItemTable {
  id: Id;
  order_id: number;
  product_id: number;
  sku: string;
  name: string;
  kind: ProductKind;
  quantity: number;
  unit_price: Amount;
  subtotal: Amount;
  tax_rate: string;
  tax: Amount;
  total: Amount;
  licence: JSONColumnType<{ devices: number; months: number | null }, string | null, string | null> | null;
  device_uid: string | null;
  fulfilled_at: Date | null;
}

interface OrderPaymentTable {
  id: Id;
  order_id: number;
  seller: number;
  amount: Amount;
  currency: string;
  refunded: AmountFromZero;
  method: PaymentMethod;
  provider: string | null;
  reference: string | null;
  paid_at: Date;
  recorded_at: Date;
  recorded_by: number | null;
  excess: boolean;
}

interface OrderShipmentTable {
  id: Id;
  order_id: number;
  carrier: string;
  tracking_number: string | null;
  tracking_url: string | null;
  shipped_at: Date;
}

interface PaymentCheckoutTable {
  provider: string;
  id: string;
  order_id: number;
  amount: Amount;
  currency: string;
  url: string;
  created_at: Date;
  expires_at: Date;
  closed_at: Date | null;
}

interface PaymentEventTable {
  provider: string;
  id: string;
  received_at: Date;
}
