-- Files have a role beside being an input or an output.

ALTER TABLE blobs RENAME COLUMN role TO kind;
UPDATE tasks SET
  inputs = replace(inputs, '"role":"input"', '"kind":"input","role":"image"'),
  outputs = replace(outputs, '"role":"output"', '"kind":"output","role":"output"');
