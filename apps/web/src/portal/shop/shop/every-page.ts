/** One script: each of its own would have a line in the table of pages, which every visit loads. */
export { Page as BasketPage } from './basket-page.tsx';
export { Page as ShopPage } from './shop-page.tsx';
