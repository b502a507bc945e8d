/*
 * Shows the notice for browsers older than the oldest supported ones. Those browsers run it: it has no syntax and no
 * function that a browser of the last fifteen years lacks. Each probe is a boundary: color-mix() came with Chrome 111,
 * toSorted() with Firefox 115, lookbehind assertions with Safari 16.4.
 */
(function () {
  var isOld = true;
  try {
    // As text, since a literal is an error of syntax there.
    new RegExp('(?<=a)b');
    isOld = !Array.prototype.toSorted || !CSS.supports('color', 'color-mix(in srgb, red, red)');
  } catch (_error) {
    // It lacks one of them.
  }
  var notice = document.getElementById('old-browser');
  var root = document.getElementById('root');
  var slowLoad = document.getElementById('slow-load');
  if (!isOld || !notice || !root) return;
  if (slowLoad) slowLoad.parentNode.removeChild(slowLoad);
  // Above the page: the application may run all the same.
  root.parentNode.insertBefore(notice, root);
  notice.removeAttribute('hidden');
})();
