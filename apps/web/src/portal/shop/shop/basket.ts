/** A product in a basket. */
export interface BasketItem {
  readonly productId: number;
  readonly quantity: number;
  /** The device that a licence activates; empty for a code. */
  readonly deviceUid: string;
}

/** Products that are chosen and not ordered yet. */
export interface Basket {
  readonly currency: string;
  readonly items: readonly BasketItem[];
}

/** A basket with the key of its order: a repetition of the order, also after a reload or in another tab, orders nothing twice. */
export interface StoredBasket extends Basket {
  readonly orderKey: string;
}

/** The service's limits of an order. */
export const MAX_QUANTITY = 1_000;
const MAX_ITEMS = 50;

export const EMPTY_BASKET: Basket = { currency: '', items: [] };

const NOTHING_STORED: StoredBasket = { ...EMPTY_BASKET, orderKey: '' };

/** A basket with one more of a product. */
export function withProduct(basket: Basket, productId: number, currency: string): Basket {
  const isKnown = basket.items.some((item) => item.productId === productId);
  if (!isKnown && basket.items.length >= MAX_ITEMS) return basket;
  const items = isKnown
    ? basket.items.map((item) =>
        item.productId === productId ? withQuantity(item, item.quantity + 1) : item,
      )
    : [...basket.items, { productId, quantity: 1, deviceUid: '' }];
  return { currency, items };
}

/** A basket with a changed item. */
export function withItem(basket: Basket, changed: BasketItem): Basket {
  const items = basket.items.map((item) => (item.productId === changed.productId ? changed : item));
  return { ...basket, items };
}

export function withoutProduct(basket: Basket, productId: number): Basket {
  return { ...basket, items: basket.items.filter((item) => item.productId !== productId) };
}

/** An item in another number; a device is for one alone. */
export function withQuantity(item: BasketItem, quantity: number): BasketItem {
  const whole = Math.min(MAX_QUANTITY, Math.max(1, Math.round(quantity) || 1));
  return { ...item, quantity: whole, deviceUid: whole === 1 ? item.deviceUid : '' };
}

/** The stored form of a basket, with a new key: what is changed in a basket makes it another order. */
export function writeBasket({ currency, items }: Basket): string {
  return JSON.stringify({ currency, items, orderKey: newOrderKey() } satisfies StoredBasket);
}

/** @returns an empty basket for a text that is none */
export function readBasket(text: string | null): StoredBasket {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    return isBasket(stored) ? stored : NOTHING_STORED;
  } catch {
    return NOTHING_STORED;
  }
}

function isBasket(value: unknown): value is StoredBasket {
  const { currency, items, orderKey } = (value ?? {}) as Partial<StoredBasket>;
  const isKeyed = typeof orderKey === 'string' && orderKey !== '';
  return isKeyed && typeof currency === 'string' && Array.isArray(items) && items.every(isItem);
}

/** 128 random bits; `randomUUID` is missing on pages without TLS. */
function newOrderKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isItem(value: unknown): boolean {
  const { productId, quantity, deviceUid } = (value ?? {}) as Partial<BasketItem>;
  return Number.isInteger(productId) && Number.isInteger(quantity) && typeof deviceUid === 'string';
}
