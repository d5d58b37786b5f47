// The one line that says a Node is too old, or null. Old syntax on purpose, see witbox.cjs.
'use strict';

var wanted = [24, 15];

module.exports = (version) => {
  var found = version.split('.').map(Number);
  if (found[0] > wanted[0] || (found[0] === wanted[0] && found[1] >= wanted[1])) return null;
  return (
    'witbox needs Node ' +
    wanted.join('.') +
    ' or newer, this is ' +
    version +
    '. Install a newer Node, or run it with: npx -p node@26 -p witbox witbox\n'
  );
};
