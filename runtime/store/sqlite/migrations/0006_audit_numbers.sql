-- Numbers of the trail are each tenant's own: nobody reads from them what others do. incident = 1: an entry about what
-- was refused. Those are limited in number, and the oldest make room.
ALTER TABLE audit ADD COLUMN own_number INTEGER;
ALTER TABLE audit ADD COLUMN incident INTEGER NOT NULL DEFAULT 0;
UPDATE audit SET own_number = counted.own FROM (
  SELECT number, row_number() OVER (PARTITION BY tenant ORDER BY number) AS own FROM audit) AS counted
WHERE audit.number = counted.number;
CREATE UNIQUE INDEX audit_own_number ON audit (tenant, own_number);
CREATE INDEX audit_incidents ON audit (tenant, own_number) WHERE incident = 1;
DROP INDEX audit_of_tenant;
