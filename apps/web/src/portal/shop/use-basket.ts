import { useSyncExternalStore } from 'react';
import { usePortalSession } from '../session/session.ts';
import { type Basket, EMPTY_BASKET, readBasket, writeBasket } from './basket.ts';

const CHANGED = 'heliograph-basket';

interface StoredBasket {
  readonly basket: Basket;
  readonly setBasket: (basket: Basket) => void;
}

/** The basket of the reader, which is in this browser alone, and the same in all its tabs. */
export function useBasket(): StoredBasket {
  const { user } = usePortalSession();
  const key = `basket-${user?.id ?? 0}`;
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  return {
    basket: text === null ? EMPTY_BASKET : readBasket(text),
    setBasket: (basket) => {
      if (basket.items.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, writeBasket(basket));
      dispatchEvent(new Event(CHANGED));
    },
  };
}

function subscribe(onChange: () => void): () => void {
  addEventListener(CHANGED, onChange);
  addEventListener('storage', onChange);
  return () => {
    removeEventListener(CHANGED, onChange);
    removeEventListener('storage', onChange);
  };
}
