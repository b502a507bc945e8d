import { useSyncExternalStore } from 'react';
import { browserStorage } from '../../../shared/browser/browser-storage.ts';
import { usePortalSession } from '../../session/session.ts';
import { type Basket, readBasket, type StoredBasket, writeBasket } from './basket.ts';

const CHANGED = 'heliograph-basket';

interface BasketInBrowser {
  readonly basket: StoredBasket;
  readonly setBasket: (basket: Basket) => void;
}

/** The basket of the reader, which is in this browser alone, and the same in all its tabs. */
export function useBasket(): BasketInBrowser {
  const { user } = usePortalSession();
  const key = `basket-${user?.id ?? 0}`;
  const text = useSyncExternalStore(subscribe, () => browserStorage.get(key));
  return {
    basket: readBasket(text),
    setBasket: (basket) => {
      if (basket.items.length === 0) browserStorage.remove(key);
      else browserStorage.set(key, writeBasket(basket));
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
