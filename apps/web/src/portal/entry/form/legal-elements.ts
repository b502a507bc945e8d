import { createElement, type ReactNode } from 'react';

/** All that legal texts are made of. */
const TAGS = ['h2', 'h3', 'p', 'ul', 'li', 'br'];

/** A fragment of HTML as elements: what is no part of a legal text is shown as the text that it has. */
export function legalElements(html: string): ReactNode[] {
  return childrenOf(new DOMParser().parseFromString(html, 'text/html').body);
}

function childrenOf(parent: Element): ReactNode[] {
  return [...parent.childNodes].map((node, index) => {
    if (!(node instanceof Element)) return node.textContent;
    const tag = node.localName;
    if (!TAGS.includes(tag)) return node.textContent;
    return createElement(tag, { key: index }, ...childrenOf(node));
  });
}
