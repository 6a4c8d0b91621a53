-- Divides the tables of a store over the nodes of a Citus cluster, by dataset. To be run once by psql on the coordinator, after
-- `fieldstone migrate` and before the first server. What is not named here stays on the coordinator, which is small.
BEGIN;
SELECT create_distributed_table('dataset_state', 'dataset');
SELECT create_distributed_table('records', 'dataset', colocate_with => 'dataset_state');
SELECT create_distributed_table('change_log', 'dataset', colocate_with => 'dataset_state');
SELECT create_distributed_table('search_records', 'dataset', colocate_with => 'dataset_state');
SELECT create_distributed_table('search_words', 'dataset', colocate_with => 'dataset_state');
SELECT create_distributed_table('search_keys', 'dataset', colocate_with => 'dataset_state');
SELECT create_distributed_table('search_marks', 'dataset', colocate_with => 'dataset_state');
SELECT create_distributed_table('daily_counts', 'dataset', colocate_with => 'dataset_state');
COMMIT;
