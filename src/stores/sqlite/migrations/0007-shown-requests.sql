-- What the worker runs and what a family shows of a request are apart.

ALTER TABLE tasks ADD COLUMN request_blob TEXT;          -- id of the blob that holds the JSON of a large request; `request` is empty then
ALTER TABLE tasks ADD COLUMN shown TEXT;                 -- JSON, as the family gave it

-- Large requests were {"$blob":"<id>"}, and an input of their task.
UPDATE tasks SET
  request = '',
  request_blob = substr(request, 11, length(request) - 12),
  inputs = (
    SELECT CASE count(*) WHEN 0 THEN NULL ELSE json_group_array(json(value)) END FROM json_each(tasks.inputs)
    WHERE value ->> 'id' <> substr(request, 11, length(request) - 12)
  )
WHERE request LIKE '{"$blob":"%"}' AND length(request) < 100 AND json_valid(inputs);
