import { createContext } from 'react';

/** Of pages that are no organization's. */
export const SERVICE_NAME = 'Heliograph';

/** Name of the service or organization that the pages belong to; it stands at the end of the titles of tabs. */
export const ProductName = createContext(SERVICE_NAME);
