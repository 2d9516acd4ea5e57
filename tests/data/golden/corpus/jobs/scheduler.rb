# Runs work at its time, one worker to a job.
class Scheduler
  Job = Struct.new(:name, :every, :due, :failures)

  def initialize(store, clock: -> { Time.now })
    @store = store
    @clock = clock
    @jobs = []
  end

  def every(seconds, name, &work)
    @jobs << Job.new(name, seconds, @clock.call, 0)
    @store.register(name, work)
  end

  # Only whoever gets the lease runs the job, so that two machines never do the same work.
  def tick
    @jobs.select { |job| job.due <= @clock.call }.each do |job|
      next unless @store.lease(job.name, ttl: job.every)

      run(job)
    end
  end

  private

  def run(job)
    @store.work(job.name).call
    job.failures = 0
  rescue StandardError => e
    job.failures += 1
    @store.note_failure(job.name, e)
  ensure
    job.due = @clock.call + delay(job)
  end

  # Doubles with each failure in a row, a day at most.
  def delay(job)
    [job.every * 2**job.failures, 86_400].min
  end
end
